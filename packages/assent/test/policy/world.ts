/** Where the commands of these tests would run. */
export const world = {
  cwd: "/home/dev/project",
  home: "/home/dev",
  platform: "linux",
  root: "/home/dev/project",
} as const;
