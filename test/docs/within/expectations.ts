import { expect } from 'expect';
// the block
export { expect };
