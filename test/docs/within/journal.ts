import { expect } from 'expect';
import { type JournalView, startMockServer } from 'kube-mockserver';

declare module 'expect' {
  // What `kube-mockserver/jest` tells jest's types.
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    toHaveRelisted(times: number): R;
    notToHotLoop(limit: { readonly perSecond: number }): R;
    toHaveUsedWatchList(): R;
    toHaveFallenBackToList(): R;
  }
}

const server = await startMockServer();
{
  // the block
}
await server.stop();
export { expect, type JournalView };
