import { expect, test } from "vitest";
import { said } from "./spelled.fixture.ts";
import { systemTools } from "./system.ts";

const changing: Readonly<Record<string, string>> = {
  "system-service":
    "systemctl stop nginx|systemctl restart $S|systemctl --now disable cron|systemctl daemon-reload|service nginx restart|rc-service sshd stop|launchctl load x.plist|loginctl terminate-user dev|update-rc.d x defaults|chkconfig nginx on|initctl stop x|supervisorctl restart app",
  "system-power":
    "reboot|shutdown -h now|halt|poweroff|init 0|telinit 6|systemctl reboot|systemctl --user poweroff|systemctl suspend|rtcwake -m mem",
  "system-schedule": "crontab -r|crontab -|crontab file|crontab|crontab -e|crontab -u root -r|atrm 3",
  "system-disk":
    "mount -o remount,rw /|mount --bind ./x /etc|mount -a|umount /mnt|swapoff -a|swapon /swapfile|losetup -f disk.img|losetup -d /dev/loop0|cryptsetup luksFormat /dev/sdb|mkfs.ext4 /dev/sdb1|mkfs -t ext4 disk.img|mkfs.vfat -F32 /dev/sdc1|mke2fs x|mkswap x|fdisk /dev/sda|sfdisk /dev/sda|sfdisk --delete /dev/sda 1|gdisk /dev/sda|sgdisk -Z /dev/sda|sgdisk -o -p /dev/sda|parted /dev/sda mklabel gpt|parted -s /dev/sda rm 1|wipefs -a /dev/sda|wipefs -af /dev/sda|wipefs --al /dev/sda|blkdiscard /dev/sda|lvremove vg/x|pvcreate /dev/sdb|lvm lvremove vg/x|vgreduce a b|mdadm --zero-superblock /dev/sdb1|mdadm -S /dev/md0|hdparm --security-erase x /dev/sdb|hdparm -W0 /dev/sda|hdparm -S 12 /dev/sda|nvme format /dev/nvme0n1|badblocks -w /dev/sdb|badblocks -wsv /dev/sdb|fsck /dev/sda1|fsck.ext4 -y /dev/sda1|tune2fs -L x /dev/sda1|resize2fs /dev/sda1|e2label /dev/sda1 new|zfs destroy pool/x|zpool destroy x|btrfs subvolume delete x|btrfs balance start /|diskutil eraseDisk JHFS+ x disk2|debugfs -w /dev/sda1|dmsetup remove x",
  "system-settings":
    "iptables -F|iptables -A INPUT -j DROP|ip6tables -P INPUT DROP|iptables -L -Z|nft flush ruleset|nft -f rules|ufw enable|ufw allow 22|ufw disable|firewall-cmd --add-port=80/tcp|firewall-cmd --reload|ip link set eth0 down|ip addr add 10.0.0.1/24 dev eth0|ip a a 10.0.0.1 dev x|ip route del default|ip l s eth0 up|ip -batch x|ifconfig eth0 down|route add default gw x|tc qdisc add dev eth0 root netem|nmcli con up x|nmcli networking off|ethtool -s eth0 speed 100|ethtool -K eth0 tso off|setenforce 0|aa-teardown|apparmor_parser -R x|update-alternatives --set python3 /tmp/python3|ldconfig|timedatectl set-ntp false|hostnamectl set-hostname x|hostname evil|localectl set-locale x|wall hello|csrutil disable|journalctl --vacuum-time=1s|auditctl -D|busctl call a b c d|update-ca-certificates",
  "system-kernel":
    "sysctl -w a.b=1|sysctl a.b=1|sysctl -p|sysctl --system|sysctl $X|modprobe x|modprobe -r x|insmod x.ko|rmmod x|kexec -p x|kexec -l x|dmesg -C|dmesg -c|dmesg --clear|update-grub|grub-install /dev/sda|update-initramfs -u|dracut -f|depmod -a|grub-editenv - set a=b|efibootmgr -o 1,2|nvram boot-args=-v",
  "system-package":
    "apt install jq|apt-get remove -y nginx|apt full-upgrade -y|apt update|apt -y install x|dpkg -i x.deb|dpkg --purge x|dpkg -P x|dpkg --configure -a|aptitude install x|yum install -y x|dnf remove x|dnf history undo 3|rpm -i x.rpm|rpm -Uvh x.rpm|rpm -e x|rpm --import key|zypper in x|pacman -S x|pacman -Syu|pacman -Rns x|apk add curl|apk del x|snap remove firefox|flatpak install x|port install x|emerge x|nix-env -iA x|softwareupdate -i -a|add-apt-repository ppa:x|apt-key add x|apt-mark hold x|pkg install x",
  "system-account":
    "useradd bob|userdel -r bob|usermod -aG docker dev|groupadd x|adduser bob|passwd|passwd root|passwd -d root|chpasswd|chsh -s /bin/zsh|gpasswd -a dev docker|vipw|chage -E 0 bob|dscl . -create /Users/x",
  "system-process":
    "kill 1|kill -9 1|kill -HUP 1|kill -s KILL 1|kill -9 -1|kill -KILL -1|kill -TERM -- -1|kill -1|kill -9 1234 1|pkill -9 systemd|pkill -f sshd|pkill -HUP dbus-daemon|killall NetworkManager|pkill -u root|pkill -u root x|killall -u dev|pkill .|pkill -f .*|killall5|pkill -v x|killall -9 systemd-logind",
};

test.each(Object.entries(changing))("%s is asked about, whatever the spelling", (rule, commands) => {
  const all = commands.split("|");
  expect(all.filter((each) => said(systemTools, each)?.includes(rule) !== true)).toEqual([]);
});

const reading = [
  "systemctl|systemctl status nginx --no-pager|systemctl list-units --type service|systemctl -n 5 status x|systemctl is-active x|systemctl cat x|systemctl --user status app|systemctl --user restart app|systemctl restart --user app|service nginx status|service --status-all|rc-service x status|launchctl list|loginctl|loginctl list-sessions|hostnamectl|hostnamectl status|hostname|hostname -f|timedatectl|timedatectl status|localectl list-locales|journalctl -u app --since x --no-pager|chkconfig --list|crontab -l|crontab -u dev -l|atq|at -l|coredumpctl list",
  "mount|mount -l|mount -t ext4|swapon --show|swapon -s|losetup|losetup -a|losetup -l|losetup -f|cryptsetup status x|fdisk -l disk.img|fdisk -l|sfdisk -d /dev/sda|sgdisk -p /dev/sda|parted -l|parted /dev/sda print|parted -s /dev/sda unit s print|wipefs /dev/sda|lvm lvs|dmsetup ls|mdadm --detail /dev/md0|hdparm -I /dev/sda|hdparm -tT /dev/sda|nvme list|fsck -n /dev/sda1|tune2fs -l /dev/sda1|e2label /dev/sda1|zfs list|zpool status -v|btrfs subvolume list /|btrfs filesystem df /|diskutil list|diskutil apfs list|debugfs -R stats /dev/sda1|badblocks -sv /dev/sdb|blockdev --getsize64 /dev/sda",
  "iptables -L|iptables -nvL|iptables -t nat -L -n|iptables -S|iptables-save|nft list ruleset|ufw status verbose|ufw app list|firewall-cmd --list-all|firewall-cmd --state|firewall-cmd --zone=public --list-ports|ip a|ip addr|ip -br addr show|ip addr show dev eth0|ip a s|ip r|ip route get 1.1.1.1|ip -s link|ip link show|ip -4 route list|ip neigh|ip netns list|ifconfig|ifconfig eth0|ifconfig -a|route -n|route|tc qdisc show dev eth0|tc -s qdisc ls|nmcli|nmcli device|nmcli dev status|nmcli con show|nmcli device wifi list|nmcli -t -f NAME con show|ethtool eth0|ethtool -i eth0|resolvectl status|networkctl|arp -a",
  "sysctl -a|sysctl kernel.pid_max|sysctl -n kernel.ostype|modprobe -n x|lsmod|modinfo x|dmesg|dmesg -T|dmesg -w --level err|getenforce|aa-status|ldconfig -p|update-alternatives --list python3|update-alternatives --display editor|grub-mkconfig|bootctl status|udevadm info /dev/sda|pmset -g|csrutil status|efibootmgr -v",
  "apt|apt list --installed|apt search jq|apt show jq|apt policy nginx|apt-cache policy nginx|apt-get -s install x|apt-get download x|dpkg -l sudo|dpkg -s x|dpkg -L x|dpkg -S /bin/ls|dpkg --get-selections|dpkg --print-architecture|dpkg --compare-versions 1 lt 2|dpkg-query -W x|apt-mark showmanual|yum list installed|dnf info x|dnf repolist|dnf history list|rpm -q x|rpm -qa|rpm -qi x|rpm -qpl x.rpm|rpm -V x|rpm --eval %{_arch}|rpm --query x|zypper se x|pacman -Q|pacman -Qi x|pacman -Ss x|pacman -Si x|apk info|apk list -I|snap list|flatpak list|flatpak run org.x.Y|port installed|emerge -p x|nix-env -q|softwareupdate -l|pkg-config --libs x|apt --version",
  "passwd -S dev|chage -l dev|chsh -l|dscl . -read /Users/dev|useradd --help",
  "kill 4242|kill -TERM 4242|kill -9 4242|kill -1 4242|kill -l|kill -0 1|kill %1|kill $PID|kill -9 $PID|kill -s HUP 77|kill -- -4242|kill -9 -4242|pkill node|pkill -f vite|pkill -9 -f node_server.js|pkill -x jest|pkill -HUP nginx|killall node|killall -9 Finder|pkill -u dev node|pgrep -fl node|fuser -k 3000/tcp|pkill -P $PID|killall -HUP mDNSResponder",
];

test.each(reading.flatMap((each) => each.split("|")))("%s only looks, or concerns one's own", (command) => {
  expect(said(systemTools, command)).toEqual([]);
});

test("what is run or written by the way is said too", () => {
  const told = Object.fromEntries(
    [
      "at now",
      "at -f script.sh now",
      "ip netns exec blue rm -rf x",
      "rpm --eval %(id)",
      "rpm -qa --pipe id",
      "apt list -o APT::Update::Pre-Invoke::=id",
      "dpkg -x a.deb /usr",
      "systemctl -H host status x",
      "systemctl -H host stop x",
      "grub-mkconfig -o /boot/grub/grub.cfg",
    ].map((each) => [each, said(systemTools, each)]),
  );
  expect(told).toEqual({
    "at now": ["system-schedule", "run-input shell"],
    "at -f script.sh now": ["script:shell script.sh", "system-schedule"],
    "ip netns exec blue rm -rf x": ["privilege-escalation", "run rm -rf x"],
    "rpm --eval %(id)": ["exec-option"],
    "rpm -qa --pipe id": ["shell id"],
    "apt list -o APT::Update::Pre-Invoke::=id": ["exec-option"],
    "dpkg -x a.deb /usr": ["write /usr"],
    "systemctl -H host status x": ["connect host"],
    "systemctl -H host stop x": ["connect host", "system-service"],
    "grub-mkconfig -o /boot/grub/grub.cfg": ["write /boot/grub/grub.cfg"],
  });
});
