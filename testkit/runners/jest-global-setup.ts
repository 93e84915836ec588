/** `kube-mockserver/jest/global-setup`: one server for all workers of a run. */
import { startSharedServer } from './shared-server.js';

/** Where the teardown, which jest loads by itself, finds what stops the server. */
const STOP = Symbol.for('kube-mockserver stop');

/** For `globalSetup` of jest; with `kube-mockserver/jest/global-teardown` as `globalTeardown`. */
export default async function setUp(): Promise<void> {
  Reflect.set(globalThis, STOP, await startSharedServer());
}
