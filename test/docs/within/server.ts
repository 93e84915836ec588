import { expect } from 'expect';
import { fault, scenario, startMockServer } from 'kube-mockserver';

const server = await startMockServer();
{
  // the block
}
await server.stop();
export { expect, fault, scenario };
