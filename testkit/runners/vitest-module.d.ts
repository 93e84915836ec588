/** What is used of vitest, so that this package compiles without it. */
declare module 'vitest' {
  interface TestContext {
    readonly task: { readonly result?: { readonly state?: string; readonly errors?: readonly Error[] } };
  }
  export function beforeAll(work: () => Promise<void>): void;
  export function afterEach(work: (context: TestContext) => Promise<void>): void;
  export function afterAll(work: () => Promise<void>): void;
  export const expect: { extend(matchers: object): void };
}
