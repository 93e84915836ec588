/** Typed Go clients, unmodified: they write protobuf, and read it, without being told to. */
import { execFile } from 'node:child_process';
import { goTyped, testWith } from './tools.js';
import { useWorkspace } from './workspace.js';

/** What the programs of go-typed print. */
interface Report {
  /** Requests with a body and answers, by content type without `application/`. */
  readonly sent: Readonly<Record<string, number>>;
  readonly received: Readonly<Record<string, number>>;
  readonly informed?: readonly string[];
  readonly kinds?: readonly string[];
}

const tool = goTyped();
const goTest = testWith(tool, 'typed Go clients');
const space = useWorkspace('go-typed');
const PROTOBUF = 'vnd.kubernetes.protobuf';

function run(namespace: string, ...args: readonly string[]): Promise<Report> {
  if (!('path' in tool)) throw new Error(tool.missing);
  const all = ['-kubeconfig', space().server.kubeconfig, '-namespace', namespace, ...args];
  return new Promise((resolve, reject) => {
    execFile(tool.path, all, { timeout: 90_000 }, (error, stdout, stderr) => {
      if (error === null)
        resolve(JSON.parse(stdout) as Report); // the program is ours
      else reject(new Error(`${error.message}\n${stderr}`));
    });
  });
}

goTest.each([
  { protobuf: false, type: 'json' },
  { protobuf: true, type: PROTOBUF },
])(
  'a client-go clientset does its work with 27 kinds in $type',
  async ({ protobuf, type }) => {
    const { sent, received, informed, kinds } = await run(
      // A Deployment that was deleted with its dependents in the foreground stays, where no garbage is collected.
      protobuf ? 'default' : space().namespace,
      `-protobuf=${String(protobuf)}`,
    );
    expect(informed).toEqual(['ADD 1', 'UPDATE 2', 'UPDATE 3', 'DELETE 3']);
    expect(kinds).toHaveLength(27);
    expect(sent).toEqual({ [type]: sent[type], 'merge-patch+json': 1 });
    const watch = protobuf ? `${PROTOBUF};stream=watch` : 'json';
    expect(new Set(Object.keys(received))).toEqual(new Set([type, watch]));
  },
  120_000,
);

goTest(
  'a controller-runtime operator with its defaults reconciles, applies, elects itself and finalizes, with all three sorts of caches',
  async () => {
    const { sent, received } = await run(space().namespace, '-program', 'operator');
    expect(sent[PROTOBUF]).toBeGreaterThan(0);
    expect(sent['apply-patch+yaml']).toBeGreaterThan(0);
    expect(received[PROTOBUF]).toBeGreaterThan(0);
    expect(received[`${PROTOBUF};stream=watch`]).toBeGreaterThan(0);
  },
  120_000,
);
