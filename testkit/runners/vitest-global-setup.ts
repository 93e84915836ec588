/** `kube-mockserver/vitest/global-setup`: one server for all workers of a run. */
import { startSharedServer } from './shared-server.js';

/** For `globalSetup` of vitest. Shape: what stops the server. */
export default function setUp(): Promise<() => Promise<void>> {
  return startSharedServer();
}
