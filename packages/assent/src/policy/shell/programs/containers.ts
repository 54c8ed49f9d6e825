import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning } from "../text.ts";
import { executes, image, powers, pushes, runFlags, runImage, runOptions, volume } from "./containers-run.ts";
import { repositoryDeeds } from "./git-config.ts";
import { kubernetesTools } from "./kubernetes.ts";
import { afterFirst, connects, connectsUrls, flags, sendsAt, write } from "./support.ts";

function drops(): Spec {
  return { always: danger("delete-store", "deletes stored data of containers"), unless: "--dry-run" };
}
function login(): Spec {
  return { takes: { "-u --username -p --password": "text" }, operands: ["host"] };
}

function build(): Spec {
  return {
    takes: {
      "-t --tag -f --file --build-arg --build-context --target --platform --network --label --secret --ssh --cache-from":
        "text",
      "--cache-to --progress --add-host --shm-size --ulimit --builder --attest --sbom --provenance --annotation --pull":
        "text",
      "-m --memory --cpuset-cpus --isolation -o --output --allow --security-opt --cap-add --format -v --volume": "text",
      "--iidfile --metadata-file": "write",
    },
    may: flags("--pull --push --load --no-cache --rm --quiet"),
    danger: { "--push": danger("network-send", "sends an image to another machine") },
    also: (given) => [
      ...given.operands
        .filter(({ text }) => /^(?:https?|git|ssh):|^git@/iu.test(beginning(text)))
        .flatMap((at) => repositoryDeeds(at)),
      ...connectsUrls(given.values("-f --file")),
      ...given.values("-v --volume").flatMap(volume),
      ...given.values("--allow").map((at) => asks("privilege-container", "lets the build leave its container", at)),
      ...outputs(given),
    ],
  };
}

/** `-o folder`, or `-o type=local,dest=folder`; a registry is sent to. */
function outputs({ values }: Given): readonly Deed[] {
  return values("-o --output").flatMap((value): readonly Deed[] => {
    const start = beginning(value.text);
    if (/type=registry|push=true/u.test(start)) return [sendsAt("an image", value)];
    if (!start.includes("=")) return [write(value)];
    const place = afterFirst(value, "dest=");
    return place === null
      ? []
      : [
          write({
            ...place,
            text: place.text.map((piece) => (typeof piece === "string" ? (piece.split(",")[0] ?? "") : piece)),
          }),
        ];
  });
}

/** `container:path` or a path here. */
function copies({ operands: [, target] }: Given): readonly Deed[] {
  return target === undefined || /^[^/.]*:/u.test(beginning(target.text)) ? [] : [write(target)];
}

function compose(): Spec {
  return {
    takes: {
      "-f --file -p --project-name --profile --project-directory --parallel --progress --ansi": "text",
      "--env-file": "read",
      "-H --host": "text",
    },
    commands: {
      exec: { ...executes(), takes: { ...executes().takes } },
      run: {
        ...runImage(),
        also: (given) => [
          ...powers(given),
          ...runs([...given.values("--entrypoint").slice(-1), ...given.operands.slice(1)]),
        ],
      },
      push: { always: danger("network-send", "sends images to another machine") },
      publish: { always: danger("network-send", "sends the project to another machine") },
      down: {
        may: flags("--volumes"),
        danger: { "-v --volumes": danger("delete-store", "deletes the stored data of the containers") },
      },
      cp: { also: copies },
    },
    also: ({ values }) => connectsUrls(values("-f --file")),
  };
}

function volumes(): Spec {
  return {
    commands: {
      ...same("rm remove prune", drops()),
      create: { takes: { "-o --opt -d --driver --label --name": "text" }, also: volumeOptions },
    },
  };
}

function volumeOptions({ values }: Given): readonly Deed[] {
  return values("-o --opt").flatMap((option): readonly Deed[] => {
    const device = /^device=/u.test(beginning(option.text)) ? afterFirst(option, "=") : null;
    return device === null ? [] : volume(device);
  });
}

function containerCommands(): Readonly<Record<string, Spec>> {
  return {
    ...same("run create", runImage()),
    exec: executes(),
    cp: { also: copies },
    export: { takes: { "-o --output": "write" } },
  };
}

function imageCommands(): Readonly<Record<string, Spec>> {
  return {
    build: build(),
    push: { also: pushes },
    pull: { takes: { "--platform": "text" }, also: ({ operands: [name] }) => image(name) },
    save: { takes: { "-o --output": "write", "--platform": "text" } },
    load: { takes: { "-i --input": "read" } },
    import: { also: ({ operands }) => connectsUrls(operands) },
  };
}

function buildx(): Spec {
  return {
    takes: { "--builder": "text" },
    commands: {
      build: build(),
      b: build(),
      bake: {
        danger: { "--push": danger("network-send", "sends images to another machine") },
        may: flags("--push"),
        also: ({ operands }) => connectsUrls(operands),
      },
      imagetools: {
        commands: {
          create: { always: danger("network-send", "sends an image to another machine"), unless: "--dry-run" },
        },
      },
    },
  };
}

function contexts(): Spec {
  return {
    commands: {
      create: {
        takes: { "--docker --description": "text" },
        also: ({ values }) => values("--docker").flatMap(contextHost),
      },
    },
  };
}

function docker(): Spec {
  return {
    takes: {
      "-H --host --url -c --context --connection --config --log-level -l --tlscacert --tlscert --tlskey --root": "text",
      "-n --namespace -a --address": "text",
    },
    commands: {
      ...containerCommands(),
      ...imageCommands(),
      container: { commands: containerCommands() },
      image: { commands: imageCommands() },
      buildx: buildx(),
      builder: { commands: { build: build() } },
      compose: compose(),
      volume: volumes(),
      system: {
        commands: { prune: drops(), reset: drops(), connection: { commands: { add: { operands: ["text", "host"] } } } },
      },
      manifest: { commands: { push: { also: pushes } } },
      trust: { commands: { sign: { always: danger("network-send", "signs and sends an image") } } },
      plugin: {
        commands: {
          install: {
            always: danger("privilege-container", "installs a program with the powers of this machine's root"),
          },
        },
      },
      login: login(),
      context: contexts(),
      swarm: { commands: { join: { takes: { "--token": "text" }, operands: ["host"] } } },
      unshare: { stops: true, operands: ["argv"] },
      machine: { commands: { ssh: { stops: true, operands: ["text", "argv"] } } },
      play: { commands: { kube: { also: ({ operands }) => connectsUrls(operands) } } },
    },
    also: ({ values }) => values("-H --host --url").flatMap(daemon),
  };
}

function contextHost(value: Argument): readonly Deed[] {
  const host = afterFirst(value, "host=");
  return host === null ? [] : daemon(host);
}

/** The service that runs the containers; a socket is of this machine. */
function daemon(host: Argument): readonly Deed[] {
  return /^(?:unix|fd|npipe):|^\//iu.test(beginning(host.text)) ? [] : connects(host);
}

function outwards(): Spec {
  return { always: danger("network-send", "sends an image to another machine"), unless: "--dry-run" };
}

/** Image tools: where the image is put decides. */
function skopeo(): Spec {
  return {
    commands: {
      copy: {
        takes: { "--src-creds --dest-creds --creds -f --format --authfile --override-os --override-arch": "text" },
        also: ({ operands: [from, to] }) => [
          ...(from === undefined || !beginning(from.text).startsWith("docker:") ? [] : connects(from)),
          ...(to === undefined || !/^(?:docker:|$)/u.test(beginning(to.text)) ? [] : [sendsAt("an image", to)]),
        ],
      },
      ...same("sync delete", outwards()),
      login: login(),
    },
  };
}

function crane(): Spec {
  return {
    commands: {
      ...same("push copy cp tag delete append mutate rebase flatten", outwards()),
      pull: { operands: ["text", "write"], also: ({ operands: [name] }) => image(name) },
      auth: { commands: { login: { takes: { "-u -p": "text" }, operands: ["host"] } } },
    },
  };
}

function buildah(): Spec {
  return {
    commands: {
      ...same("bud build build-using-dockerfile", build()),
      push: { also: pushes },
      pull: { also: ({ operands: [name] }) => image(name) },
      run: { ...executes(), takes: { ...runOptions() }, may: runFlags() },
      unshare: { stops: true, operands: ["argv"] },
      login: login(),
    },
  };
}

/** Words after `--` are run inside. */
function insideAfterDashes({ words }: Given): readonly Deed[] {
  const at = words.findIndex(({ text }) => text.length === 1 && text[0] === "--");
  return at < 0 ? [] : runs(words.slice(at + 1));
}

function enters(): Spec {
  return {
    stops: true,
    takes: { "-u --user -w --workdir --cwd --env -n --node -p --profile -r --root": "text" },
    also: insideAfterDashes,
  };
}

function lxc(): Spec {
  return {
    commands: {
      exec: enters(),
      ...same("launch init config profile", {
        also: ({ words }) =>
          words
            .filter(({ text }) =>
              /security\.privileged=true|source=\/(?:$|\s)|security\.nesting=true|raw\.lxc/u.test(beginning(text)),
            )
            .map((at) => asks("privilege-container", "gives a container the powers of this machine's root", at)),
      }),
      ...same("delete", drops()),
      remote: { commands: { add: { operands: ["text", "host"] } } },
    },
  };
}

function apptainer(): Spec {
  return {
    commands: {
      exec: {
        takes: { "-B --bind --env --pwd -H --home": "text", "--env-file": "read" },
        stops: true,
        operands: ["text", "argv"],
      },
      ...same("pull build", {
        also: ({ operands }) => [
          ...connectsUrls(operands.filter(({ text }) => /^https?:/u.test(beginning(text)))),
          ...operands.flatMap((each) => image(each)),
        ],
      }),
      push: outwards(),
    },
  };
}

const rootContainer = danger("privilege-container", "runs a container with the rights of root");

export const containerTools: Programs = {
  "docker podman nerdctl finch docker.io podman-remote": docker,
  "docker-compose podman-compose": compose,
  skopeo,
  "crane gcrane regctl oras": crane,
  buildah,
  "lxc incus": lxc,
  "apptainer singularity": apptainer,
  minikube() {
    return {
      takes: { "-p --profile": "text" },
      commands: { ssh: { ...enters(), also: (given) => [...insideAfterDashes(given), ...runs(given.operands)] } },
    };
  },
  "kind k3d": () => ({}),
  "ctr crictl"() {
    return {
      takes: { "-n --namespace -a --address -r --runtime-endpoint": "text" },
      commands: {
        exec: { stops: true, takes: { "--exec-id --user": "text" }, operands: ["text", "argv"] },
        run: {
          ...runImage(),
          danger: {
            "--privileged": danger("privilege-container", "gives a container the powers of this machine's root"),
          },
        },
        images: { commands: { push: outwards() } },
        image: { commands: { push: outwards() } },
      },
    };
  },
  multipass: () => ({ commands: { exec: enters(), transfer: { operands: ["text"] }, delete: drops() } }),
  limactl() {
    return {
      commands: { shell: { stops: true, takes: { "--workdir": "text" }, operands: ["text", "argv"] }, delete: drops() },
    };
  },
  lima: () => ({ stops: true, operands: ["argv"] }),
  colima: () => ({ commands: { ssh: enters(), delete: drops() } }),
  "distrobox toolbox"() {
    return {
      commands: {
        ...same("enter create", {
          ...enters(),
          danger: { "-r --root": rootContainer },
          takes: { "-n --name -i --image": "text" },
        }),
        run: { takes: { "-c --container": "text" }, stops: true, operands: ["argv"] },
      },
    };
  },
  devcontainer() {
    return {
      commands: {
        exec: {
          takes: { "--workspace-folder --container-id --config --remote-env": "text" },
          stops: true,
          operands: ["argv"],
        },
      },
    };
  },
  vagrant() {
    return {
      commands: {
        ssh: { takes: { "-c --command": "shell" }, also: insideAfterDashes },
        box: { also: ({ operands }) => connectsUrls(operands) },
        init: { also: ({ operands }) => connectsUrls(operands) },
        destroy: drops(),
        push: outwards(),
        share: { always: danger("network-tunnel", "opens a way from other machines to this one") },
      },
    };
  },
  ...kubernetesTools,
};
