import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { known } from "../text.ts";
import { savedAs } from "./network-curl.ts";
import { connects, doubtfulOperands, flags, write } from "./support.ts";

const list = danger("network-unknown-host", "takes addresses from a file");

export function wget(): Spec {
  return {
    takes: {
      "-o --output-file -a --append-output -O --output-document -P --directory-prefix --save-cookies --warc-file":
        "write",
      "--rejected-log --hsts-file --warc-tempdir": "write",
      "--post-file --body-file --load-cookies --ca-certificate --certificate --private-key --crl-file": "read",
      "-i --input-file --input-metalink -e --execute --config --choose-config": "text",
      "-t --tries -w --wait -T --timeout -Q --quota -A --accept -R --reject -D --domains -I --include-directories":
        "text",
      "-X --exclude-directories -l --level -U --user-agent --header --user --password --post-data --method --body-data":
        "text",
      "--limit-rate --connect-timeout --dns-timeout --read-timeout --max-redirect --restrict-file-names --cut-dirs":
        "text",
      "--prefer-family --default-page --referer --local-encoding --remote-encoding --bind-address --dns-servers":
        "text",
      "--regex-type --accept-regex --reject-regex --exclude-domains --follow-tags --ignore-tags --secure-protocol":
        "text",
      "--ciphers --proxy-user --proxy-password --ftp-user --ftp-password --http-user --http-password --start-pos":
        "text",
      "--waitretry --retry-on-http-error --warc-header --warc-max-size --compression --ca-directory --pinnedpubkey":
        "text",
      "-B --base": "host",
      "--use-askpass": "program",
    },
    may: { "-n --progress --report-speed": "text", ...flags("--proxy --recursive --cookies --cache --http --https") },
    danger: {
      "-i --input-file --input-metalink": list,
      "--config": danger("network-redirect", "takes its settings from a file"),
      "--use-server-timestamps-from": list,
    },
    operands: ["host"],
    also: (given) => [...settings(given), ...saved(given), ...doubtfulOperands(given, wget().takes).flatMap(connects)],
  };
}

/** `-e` can set anything: proxies, programs, files to write. */
function settings({ values }: Given): readonly Deed[] {
  return values("-e --execute")
    .filter(({ text }) => !/^\s*(?:robots\s*=\s*(?:off|on)|use_proxy\s*=\s*(?:no|off))\s*$/iu.test(known(text) ?? ""))
    .map((at) => asks("network-redirect", "changes a setting of wget, which can lead it elsewhere", at));
}

function saved({ has, operands }: Given): readonly Deed[] {
  return has("-O --output-document -P --directory-prefix --spider") ? [] : operands.map((url) => write(savedAs(url)));
}

const settled = danger("network-redirect", "takes its settings from a file");

/** Other programs that fetch what URLs name. */
export const fetchers: Programs = {
  aria2c() {
    return {
      takes: {
        "-d --dir -o --out -l --log --save-session --save-cookies": "write",
        "-i --input-file -x --max-connection-per-server -s --split -j --max-concurrent-downloads -k --min-split-size":
          "text",
        "-t --timeout -m --max-tries -U --user-agent --header --referer --checksum --max-download-limit --http-user":
          "text",
        "--http-passwd --seed-time --file-allocation --console-log-level --index-out -T --torrent-file -M --metalink-file":
          "text",
        "--all-proxy --http-proxy --https-proxy --ftp-proxy": "host",
        "--on-download-complete --on-download-start --on-download-stop --on-download-error --on-download-pause":
          "program",
        "--on-bt-download-complete": "program",
        "--conf-path": "text",
      },
      danger: {
        "-i --input-file -T --torrent-file -M --metalink-file": list,
        "--conf-path": settled,
        "--enable-rpc": danger("network-tunnel", "takes orders from other programs"),
      },
      operands: ["host"],
    };
  },
  axel() {
    return {
      takes: { "-o --output": "write", "-n -s -H -U -T --num-connections --max-speed --header --user-agent": "text" },
      operands: ["host"],
    };
  },
  lynx() {
    return {
      style: "long",
      takes: {
        "-cfg -lss": "text",
        "-editor": "program",
        "-useragent -width -auth -pauth -accept_charset -assume_charset": "text",
        "-homepage": "host",
        "-cmd_script": "text",
      },
      danger: { "-cfg -cmd_script": danger("exec-option", "takes its settings from a file") },
      operands: ["host"],
    };
  },
  w3m() {
    return {
      style: "long",
      takes: { "-o -T -I -O -cols -ppc": "text", "-config": "text" },
      also: ({ operands }) => pages(operands),
    };
  },
  links: () => ({
    style: "long",
    takes: { "-width -codepage -http-proxy": "text" },
    also: ({ operands }) => pages(operands),
  }),
  elinks() {
    return {
      style: "long",
      takes: { "-dump-width -dump-charset": "text", "-config-dir -config-file": "text", "-eval": "text" },
      danger: { "-eval -config-dir -config-file": danger("exec-option", "changes settings that can run programs") },
      also: ({ operands }) => pages(operands),
    };
  },
  chromium: () => ({ style: "long", also: ({ operands }) => pages(operands) }),
  "yt-dlp": () => youTube(),
  "youtube-dl": () => youTube(),
  "gallery-dl"() {
    return {
      takes: { "-d -D --directory --dest": "write", "--exec --exec-after": "shell", "-i --input-file": "text" },
      danger: { "-i --input-file": list },
      operands: ["host"],
    };
  },
  httrack: () => ({ takes: { "-O": "write", "-V": "shell" }, operands: ["host"] }),
};

/** Pages that are files are shown; everything else is fetched. */
function pages(operands: Given["operands"]): readonly Deed[] {
  return operands.map((place): Deed => {
    const text = known(place.text);
    const isFile = text !== null && /^(?:file:|\.{0,2}\/|[\w./-]+\.(?:html?|xhtml|md|txt)$)/iu.test(text);
    return isFile ? { does: "show", path: place } : { does: "connect", host: place };
  });
}

function youTube(): Spec {
  return {
    takes: {
      "-o --output -P --paths --cache-dir --cookies --download-archive": "write",
      "-f --format -S --format-sort --audio-format --audio-quality --sub-langs -u --username -p --password -r": "text",
      "--limit-rate -R --retries -I --playlist-items --playlist-start --playlist-end --print --referer --user-agent":
        "text",
      "-a --batch-file --config-locations --config-location --cookies-from-browser --ppa --postprocessor-args": "text",
      "--external-downloader-args --downloader-args -N --concurrent-fragments --match-filter --extractor-args": "text",
      "--exec --exec-before-download": "shell",
      "--downloader --external-downloader --netrc-cmd": "program",
      "--ffmpeg-location": "program",
      "--proxy --geo-verification-proxy": "host",
    },
    may: flags("--no-playlist --list-formats --version"),
    danger: {
      "-a --batch-file": list,
      "--config-locations --config-location": settled,
      "--cookies-from-browser": danger("secret-read", "reads the cookies of the browser"),
      "--plugin-dirs": danger("exec-option", "loads plug-ins from another folder"),
    },
    operands: ["host"],
  };
}
