import {
  isContinuousIntegrationFile,
  isOwnPlace,
  isSecretPlace,
  isStartupPlace,
  isSystemPlace,
  resolvePath,
  type World,
} from "./shell/index.ts";
import type { PlannedPath } from "./verdict.ts";

export type FileFinding = { readonly rule: string; readonly reason: string; readonly grantable: boolean };

/** What must be asked about before a tool reads or changes a file; `null`: nothing. */
export function judgeFile(planned: PlannedPath, world: World): FileFinding | null {
  const { path, real, self } = planned;
  const place = resolvePath([real], [world.root]);
  const named = resolvePath([path], [world.root]);
  const shown = path === real ? `${path},` : `${path}, that is ${real},`;
  const own = self === true || (planned.use === "write" && (isOwnPlace(place, world) || isOwnPlace(named, world)));
  if (own) {
    const reason = `it ${verb(planned)} ${shown} which belongs to Assent itself`;
    return { rule: "self-approval", reason, grantable: false };
  }
  const either = (is: (path: typeof place, world: World) => boolean): boolean => is(place, world) || is(named, world);
  if (planned.use === "read" && /(?:^|\/)\.\*$/.test(path)) {
    return asked("secret-file", "it also searches hidden files, which is where secrets are kept");
  }
  if (planned.use === "read") {
    return either(isSecretPlace) ? asked("secret-file", `it reads ${shown} which usually holds secrets`) : null;
  }
  if (either(isSystemPlace)) return asked("overwrite-system", `it changes ${shown} which belongs to the system`);
  if (either(isStartupPlace) || either(isContinuousIntegrationFile)) {
    return asked("changes-code", `it changes ${shown} which runs by itself later`);
  }
  return planned.outside ? asked("changes-outside", `it changes ${shown} which is outside the project`) : null;
}

function verb({ use }: PlannedPath): string {
  return use === "read" ? "reads" : "changes";
}

function asked(rule: string, reason: string): FileFinding {
  return { rule, reason, grantable: true };
}
