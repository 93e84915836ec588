/** One server for all workers of a test run: started by the runner's global setup, found by its address in the environment. */
import { type MockServer } from '../../mockserver/facade/mock-server.js';

/** Names the address of the server to the workers. */
export const URL_VARIABLE = 'KUBE_MOCKSERVER_URL';

/** Starts it and writes its address into the environment, which workers inherit. Shape: what stops it. */
export async function startSharedServer(): Promise<() => Promise<void>> {
  const server = await ownServer();
  process.env[URL_VARIABLE] = server.url;
  return async () => {
    Reflect.deleteProperty(process.env, URL_VARIABLE);
    await server.stop();
  };
}

/** A server in this very program. The server is loaded here alone, so that test files need not load it. */
export async function ownServer(): Promise<MockServer> {
  const { startMockServer } = await import('../../mockserver/facade/mock-server.js');
  return startMockServer();
}

/** Errors: an Error that says what is missing. */
export function sharedUrl(setup: string): string {
  const url = process.env[URL_VARIABLE];
  if (url === undefined || url === '')
    throw new Error(
      `no server runs for these tests: name ${setup} as globalSetup in the runner's configuration`,
    );
  return url;
}
