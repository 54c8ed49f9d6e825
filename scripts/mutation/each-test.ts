import { beforeEach } from "vitest";
import { anotherTest } from "./when-needed.ts";

beforeEach(anotherTest);
