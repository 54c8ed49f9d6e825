import type { Deed } from "../deeds.ts";
import { danger, type Given, type Programs, type Spec } from "../spec.ts";
import { asksUnless, isIn, word } from "./calls.ts";

const disk = danger("system-disk", "changes disks, partitions or file systems");
const mounts = danger("system-disk", "changes what is mounted where");
function asksAlways(): Spec {
  return { always: disk };
}

const fileSystems =
  "ext2 ext3 ext4 ext4dev xfs btrfs vfat fat msdos exfat ntfs f2fs minix cramfs jfs reiserfs reiser4 bfs hfs hfsplus udf nilfs2 gfs2 ocfs2 ubifs jffs2 erofs zonefs bcachefs lustre apfs";
const namesOf = (before: string): string =>
  fileSystems
    .split(" ")
    .map((each) => `${before}${each}`)
    .join(" ");

const volumes =
  "pvcreate pvremove pvresize pvmove pvchange vgcreate vgremove vgextend vgreduce vgchange vgrename vgcfgrestore vgconvert vgexport vgimport vgimportclone vgmerge vgsplit vgmknodes lvcreate lvremove lvextend lvreduce lvresize lvchange lvrename lvconvert";

/** Asks when it is given one of these options, or that many operands. */
function changing(options: string, operands = 99, spec: Spec = {}): Spec {
  return {
    ...spec,
    also: (given) =>
      given.has(options) || given.operands.length >= operands ? [{ does: "danger", danger: disk }] : [],
  };
}

function mount(given: Given): readonly Deed[] {
  const changes =
    given.operands.length > 0 ||
    given.has("-a --all -L --label -U --uuid --source --target -B --bind -R --rbind -M --move");
  return changes && !given.has("-f --fake -h --help") ? [{ does: "danger", danger: mounts }] : [];
}

function setsUpDevices(given: Given): readonly Deed[] {
  const lists =
    given.has("-a --all -l --list -j --associated") && !given.has("-d --detach -D --detach-all -c --set-capacity");
  const onlyFinds = given.has("-f --find") && given.operands.length === 0;
  const nothing = given.words.length === 0;
  return lists || onlyFinds || nothing ? [] : [{ does: "danger", danger: disk }];
}

/** Lower-case letters mostly ask the drive something, without a value. */
function drive(given: Given): readonly Deed[] {
  const options = given.words.map(word).filter((each) => each.startsWith("-"));
  const reads = options.every((each) =>
    /^-[iIgtTCHvVq]+$|^--(direct|dco-identify|fibmap|geometry|read-sector|offset|verbose)$/.test(each),
  );
  return reads && !given.words.some((each) => word(each) === "") ? [] : [{ does: "danger", danger: disk }];
}

const reads =
  "list ls show info status get history iostat events df usage du stats get-default dump-tree dump-super inode-resolve logical-resolve rootid";

/** `diskutil apfs list`, `diskutil list`. */
const diskutilReads = "list info activity listFilesystems isWritable verifyDisk verifyVolume -list";

function nodes({ operands: [, type] }: Given): readonly Deed[] {
  return type !== undefined && isIn(type, "p") ? [] : [{ does: "danger", danger: disk }];
}

export const diskTools: Programs = {
  mount() {
    return {
      takes: {
        "-t --types -o --options -O --test-opts -L --label -U --uuid --source --target -T --fstab -N --namespace --target-prefix":
          "text",
      },
      also: mount,
    };
  },
  "umount fusermount fusermount3 udisksctl pmount pumount mount.nfs mount.cifs": () =>
    asksUnless(mounts, { verbs: "status info dump monitor" }),
  swapon() {
    return asksUnless(
      disk,
      { options: "-s --summary --show", bare: true, but: "-a --all -L -U" },
      { takes: { "-p --priority -o --options -L -U": "text" } },
    );
  },
  swapoff: asksAlways,
  losetup() {
    return {
      takes: { "-o --offset --sizelimit -b --sector-size -j --associated -O --output -c --set-capacity": "text" },
      may: { "-d --detach": "text" },
      also: setsUpDevices,
    };
  },
  cryptsetup: () =>
    asksUnless(disk, { verbs: "status luksDump isLuks luksUUID benchmark bitlkDump fvault2Dump tcryptDump" }),
  [`mkfs ${namesOf("mkfs.")} ${namesOf("newfs_")} newfs mke2fs mkswap mkdosfs mkntfs mkreiserfs`]: () =>
    asksUnless(disk, {}),
  "fdisk cfdisk gdisk cgdisk fixparts"() {
    return asksUnless(
      disk,
      { options: "-l --list -s --getsz -x --list-details" },
      { takes: { "-o --output -b --sector-size": "text" } },
    );
  },
  sfdisk() {
    return asksUnless(disk, {
      options:
        "-l --list -d --dump -J --json -F --list-free -V --verify -s --show-size -g --show-geometry -T --list-types -n --no-act",
      but: "--delete --wipe --move-data -f --force -A --activate",
    });
  },
  sgdisk() {
    return asksUnless(disk, {
      options:
        "-p --print -i --info -v --verify -L --list-types -F --first-aligned-in-largest -E --end-of-largest -D --display-alignment -P --pretend -O --print-mbr",
      but: "-o --clear -Z --zap-all -z --zap -d --delete -n --new -t --typecode -c --change-name -g --mbrtogpt -G --randomize-guids -R --replicate -l --load-backup -m --gpttombr -s --sort -u --partition-guid -U --disk-guid -e --move-second-header -N --largest-new -r --transpose -A --attributes -a --set-alignment",
    });
  },
  parted() {
    return {
      takes: { "-a --align": "text" },
      also: (given) => {
        const [, ...verbs] = given.operands;
        const tells =
          given.has("-l --list") ||
          (verbs.length > 0 &&
            verbs.every((each) => isIn(each, "print free all devices list unit s B KiB MiB GiB MB GB %")));
        return tells ? [] : [{ does: "danger", danger: disk }];
      },
    };
  },
  "partprobe growpart blkdiscard sg_format sg_sanitize pvck vgck xfs_growfs testdisk gparted partclone.dd": asksAlways,
  "partx kpartx": () => asksUnless(disk, { options: "-s --show -l --list -o --output" }),
  wipefs: () => changing("-a --all -o --offset"),
  blockdev() {
    return {
      style: "none",
      also: ({ words }) =>
        words.some((each) => /^--(set|flush|reread)/.test(word(each))) ? [{ does: "danger", danger: disk }] : [],
    };
  },
  [volumes]: asksAlways,
  lvm() {
    return asksUnless(disk, {
      verbs:
        "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan fullreport dumpconfig lvmconfig formats segtypes",
    });
  },
  dmsetup: () => asksUnless(disk, { verbs: "ls info status table deps targets udevcookies stats report" }),
  mdadm() {
    return asksUnless(disk, {
      options: "-D --detail -E --examine -Q --query --detail-platform -X --examine-bitmap --examine-badblocks",
      but: "--zero-superblock -C --create -A --assemble -S --stop -G --grow -a --add -r --remove -f --fail --update-subarray --kill-subarray",
    });
  },
  hdparm: () => ({ style: "none", also: drive }),
  nvme() {
    return asksUnless(disk, {
      verbs:
        "list list-subsys list-ns list-ctrl id-ctrl id-ns smart-log error-log fw-log get-feature get-log show-regs show-topology discover deeds-log self-test-log get-ns-id",
    });
  },
  badblocks: () => changing("-w -n"),
  [`fsck ${namesOf("fsck.")} e2fsck dosfsck ntfsfix reiserfsck xfs_repair jfs_fsck`]: () =>
    asksUnless(disk, { options: "-n -N" }),
  "tune2fs xfs_admin": () => asksUnless(disk, { options: "-l -u", but: "-U -L -O -o -j -m -r -e -c -i -f" }),
  resize2fs: () => asksUnless(disk, { options: "-P" }),
  "e2label fatlabel exfatlabel ntfslabel swaplabel": () => changing("-L --label -U --uuid -i", 2),
  debugfs: () => ({ danger: { "-w": disk }, takes: { "-R -b -s -d -i": "text" } }),
  fstrim: () => asksUnless(disk, { options: "-n --dry-run" }),
  zramctl: () => asksUnless(disk, { options: "--output-all", bare: true, but: "-f --find -r --reset -s --size" }),
  "setquota edquota quotaon quotaoff quotacheck": asksAlways,
  zfs: () => asksUnless(disk, { verbs: "list get diff holds userspace groupspace projectspace" }),
  zpool: () => asksUnless(disk, { verbs: "list status iostat get history events" }),
  zdb: () => ({}),
  btrfs: () => asksUnless(disk, { seconds: reads, lone: true }),
  "btrfstune btrfs-convert": asksAlways,
  diskutil: () => asksUnless(disk, { verbs: diskutilReads, seconds: "list listUsers listSnapshots info" }),
  "asr bless": asksAlways,
  hdiutil: () => asksUnless(mounts, { verbs: "info imageinfo verify isencrypted plugins pmap" }),
  bmaptool: () => asksUnless(disk, { verbs: "create" }),
  tmutil() {
    return asksUnless(disk, {
      verbs:
        "listbackups listlocalsnapshots listlocalsnapshotdates destinationinfo status latestbackup machinedirectory isexcluded compare uniquesize calculatedrift",
    });
  },
  mknod: () => ({ takes: { "-m --mode": "mode" }, operands: ["write", "text"], also: nodes }),
};
