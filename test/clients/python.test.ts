/** The Python client, unmodified: list, watch, create, patch, delete. */
import { fileURLToPath } from 'node:url';
import { startClient } from './client-program.js';
import { stopProgram } from './server.js';
import { pythonClient, testWith } from './tools.js';
import { useWorkspace } from './workspace.js';

interface Told {
  readonly event: string;
  readonly name?: string;
  readonly names?: readonly string[];
}

const PROGRAM = fileURLToPath(new URL('python_watch.py', import.meta.url));
const tool = pythonClient();

const space = useWorkspace('python');

testWith(tool, 'Python client')(
  'the Python client lists, watches and writes',
  async () => {
    if (!('path' in tool)) throw new Error(tool.missing);
    await space().api.create(space().configMap('there-before', { a: '1' }));
    const { child, told } = startClient(
      tool.path,
      ['-W', 'ignore', PROGRAM, space().server.kubeconfig, space().namespace, '3'],
      // The program is ours: its lines have the shape of Told.
      { read: (line) => JSON.parse(line) as Told },
    );
    child.once('close', (code) => {
      told.add({ event: 'EXIT', name: String(code) });
    });
    try {
      const listed = await told.first('LIST', ({ event }) => event === 'LIST');
      expect(listed.names).toContain('there-before');
      const made = await space().api.create(space().configMap('made-later', { a: '1' }));
      const added = await told.first(
        'ADDED',
        ({ event, name }) => event === 'ADDED' && name === 'made-later',
      );
      expect(added).toMatchObject({ resourceVersion: made.metadata?.resourceVersion, data: { a: '1' } });
      await space().api.replace(space().configMap('made-later', { a: '2' }));
      await told.first('MODIFIED', ({ event, name }) => event === 'MODIFIED' && name === 'made-later');
      await space().api.delete(space().configMap('made-later', {}));
      await told.first('DELETED', ({ event, name }) => event === 'DELETED' && name === 'made-later');
      await told.first('the end of the program', ({ event }) => event === 'EXIT');
    } finally {
      await stopProgram(child);
    }
    expect(told.all.slice(-4)).toEqual([
      { event: 'PATCHED', name: 'from-python', data: { a: '1', b: '2' } },
      { event: 'DELETE-ANSWER', name: 'from-python', kind: 'Status', sameUid: true },
      { event: 'REFUSED', status: 404, reason: 'NotFound' },
      { event: 'EXIT', name: '0' },
    ]);
  },
  90_000,
);
