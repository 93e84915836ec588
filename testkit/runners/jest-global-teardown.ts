/** `kube-mockserver/jest/global-teardown`: stops what the setup has started. */

/** For `globalTeardown` of jest. */
export default async function tearDown(): Promise<void> {
  const stop: unknown = Reflect.get(globalThis, Symbol.for('kube-mockserver stop'));
  if (typeof stop === 'function') await (stop as () => Promise<void>)(); // as the setup put it there
}
