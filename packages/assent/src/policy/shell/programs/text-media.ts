import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { each, shellText, starts, without } from "./arguments.ts";
import { isIn } from "./calls.ts";
import { connects } from "./support.ts";

const address = /(?:^|[:=|])((?:https?|rtmps?|rtsps?|ftps?|sftp|udp|tcp|tls|srt|rtp|smb|gopher|icecast|s3):\/\/[^|]+)/i;

/** Addresses, also where something else stands before them (`concat:http://…`). */
function urls(words: readonly Argument[]): readonly Deed[] {
  return words.flatMap((word): readonly Deed[] => {
    const start = beginning(word.text);
    const found = address.exec(start);
    if (found?.[1] === undefined) return [];
    return connects(without(word, found.index + found[0].length - found[1].length));
  });
}

/** The last word is the file that is made; a name that begins with `|` is a command. */
function converts({ words }: Given): readonly Deed[] {
  const piped = words.filter((word) => starts(word, "|"));
  const made = words.slice(-1).filter((word) => !starts(word, "- |"));
  return [...piped.map((word) => shellText(without(word, 1))), ...each("write", made), ...urls(words)];
}

function mogrifies({ words }: Given): readonly Deed[] {
  const path = words.findIndex((word) => isIn(word, "-path"));
  const files = words.filter(({ text }) => /\.\w+$/.test(known(text) ?? "x.y"));
  return each("write", path < 0 ? files : words.slice(path + 1, path + 2));
}

const pipe = /^(?:%pipe%|\|)/;

function ghostscript({ words }: Given): readonly Deed[] {
  return words.flatMap((word, index): readonly Deed[] => {
    const attached = /^(?:-sOutputFile=|-o(?=.))/.exec(beginning(word.text))?.[0].length ?? 0;
    const output = isIn(word, "-o") ? words[index + 1] : attached > 0 ? without(word, attached) : undefined;
    if (isIn(word, "-dNOSAFER") || /%pipe%/.test(beginning(word.text).slice(attached + 1))) {
      return [asks("exec-option", "lets the document run commands", word)];
    }
    if (output === undefined) return [];
    const command = pipe.exec(beginning(output.text))?.[0].length ?? 0;
    return command > 0 ? [shellText(without(output, command))] : each("write", [output]);
  });
}

/** Tags are set by `-Name=value`, and only then a file changes. */
function tags({ words, operands }: Given): readonly Deed[] {
  const sets = words.some(({ text }) => /^-[\w:]+[-+^]?<?=|^-(?:restore|delete)_original/.test(beginning(text)));
  const written = words.filter((_, index) =>
    /^-(?:w|W|textOut|tagOut)[!+]*$/i.test(known(words[index - 1]?.text ?? []) ?? ""),
  );
  const renames = words.filter((word) => starts(word, "-filename= -directory= -FileName= -Directory="));
  const places = renames.map((word) => without(word, beginning(word.text).indexOf("=") + 1));
  return [...each("write", written), ...each(sets ? "write" : "show", [...operands, ...places])];
}

/** The pictures themselves become smaller, unless they are put elsewhere. */
function inPlace({ has, operands }: Given): readonly Deed[] {
  return has("-out -dir -d --dest -o --output --out --stdout --simulate -n --noaction") ? [] : each("write", operands);
}

const escapes = danger("exec-option", "lets the document run commands");

function tex(): Spec {
  return {
    style: "long",
    takes: {
      "-output-directory -aux-directory": "write",
      "-jobname -interaction -fmt -progname -output-format": "text",
    },
    danger: { "-shell-escape -enable-write18": escapes },
    // The text of a document may stand in the place of its name.
    also: ({ words }) => {
      const code = words.find(({ text }) => /\\(?:immediate\s*)?write18|\\directlua/.test(beginning(text)));
      return code === undefined ? [] : [asks("exec-option", "lets the document run commands", code)];
    },
  };
}

function latexmk(): Spec {
  return {
    style: "long",
    takes: {
      "-e": "code:perl",
      "-r": "script:perl",
      "-pdflatex -latex -xelatex -lualatex -new-viewer-command": "program",
      "-outdir -output-directory -auxdir": "write",
    },
    danger: { "-shell-escape": escapes },
  };
}

/** Pictures, films and documents that are made. */
export const textMedia: Programs = {
  "convert magick composite montage import gm sox ffmpeg avconv": () => ({ style: "none", also: converts }),
  mogrify: () => ({ style: "none", also: mogrifies }),
  "identify ffprobe mediainfo exiv2 jpeginfo pdfinfo": () => ({ style: "none", also: ({ words }) => urls(words) }),
  "gs ghostscript": () => ({ style: "none", also: ghostscript }),
  exiftool() {
    return {
      style: "long",
      takes: { "-if": "code:perl", "-config": "script:perl", "-o -out": "write", "-p -d -api -charset -lang": "text" },
      also: tags,
    };
  },
  "pdftotext pdftoppm pdftops pdftohtml pdfimages pdfunite pdfseparate qpdf ps2pdf"() {
    return {
      operands: ["read"],
      last: "write",
    };
  },
  optipng: () => ({ style: "long", takes: { "-out -dir -log": "write" }, also: inPlace }),
  "jpegoptim pngout advpng advdef svgo oxipng"() {
    return {
      takes: { "-d --dest -o --output --out": "write", "-m --max -S --size -q --quality": "text" },
      also: inPlace,
    };
  },
  "pngcrush pngquant wkhtmltopdf wkhtmltoimage weasyprint cjpeg djpeg jpegtran zopflipng rsvg-convert cairosvg potrace"() {
    return {
      style: "long",
      takes: { "-o -output -outfile -d -outdir": "write" },
      operands: ["read"],
      last: "write",
      also: ({ words }) => urls(words),
    };
  },
  pdftk() {
    return {
      style: "none",
      also: ({ words }) =>
        each(
          "write",
          words.filter((_, index) => isIn(words[index - 1], "output")),
        ),
    };
  },
  "tex latex pdftex pdflatex xelatex lualatex luatex context": tex,
  latexmk,
  "ctags etags gtags cscope": () => ({ takes: { "-f -o --output": "write", "-L --languages --kinds -i": "text" } }),
};
