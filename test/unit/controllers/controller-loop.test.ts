/** How a controller sees the cluster and works: late, and in pieces. */
import { startMockServer, type MockServer } from '../../../mockserver/index.js';
import {
  type Controller,
  type ControllerFrame,
  type Pieces,
} from '../../../mockserver/controllers/controller.js';
import { ControllerLoop } from '../../../mockserver/controllers/controller-loop.js';
import { type ApiObject, nameOf } from '../../../mockserver/ground/object.js';

const MAPS = { group: '', resource: 'configmaps' } as const;
let server: MockServer;

beforeEach(async () => {
  server = await startMockServer();
});
afterEach(() => server.stop());

interface Started {
  readonly loop: ControllerLoop;
  readonly frame: ControllerFrame;
  readonly errors: unknown[];
}

function start(begin: (frame: ControllerFrame) => void): Started {
  const errors: unknown[] = [];
  let frame: ControllerFrame | undefined;
  const controller: Controller = {
    name: 'test',
    start: (given) => {
      frame = given;
      begin(given);
    },
  };
  const { cluster } = server.cluster.served;
  const loop = new ControllerLoop({
    cluster,
    controller,
    wake: () => undefined,
    onError: (error) => errors.push(error),
  });
  if (frame === undefined) throw new Error('the controller was not started');
  return { loop, frame, errors };
}

const map = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

/** A controller that notes what it sees, and works in so many pieces on each key. */
function noting(pieces: number): {
  readonly started: Started;
  readonly notes: string[];
  readonly add: () => void;
} {
  const notes: string[] = [];
  let add: () => void = () => undefined;
  const started = start((frame) => {
    const queue = frame.queue<string>(function* (): Pieces {
      for (let i = 0; i < pieces; i++) {
        notes.push(`piece ${i}`);
        yield;
      }
      notes.push('done');
    });
    add = () => queue.add('key');
    frame.follow(MAPS, (next, previous) => notes.push(`sees ${nameOf(next ?? previous ?? map(''))}`));
  });
  while (started.loop.step()) continue;
  notes.length = 0;
  return { started, notes, add };
}

test('work of few pieces is done in one step', () => {
  const { started, notes, add } = noting(3);
  add();
  expect(started.loop.step()).toBe(true);
  expect(notes).toEqual(['piece 0', 'piece 1', 'piece 2', 'done']);
});

test('work of many pieces lets others have turns, and takes in nothing meanwhile', () => {
  const { started, notes, add } = noting(60);
  add();
  let steps = 0;
  while (!notes.includes('done')) {
    steps++;
    started.loop.step();
    if (steps === 1) started.frame.client.create(MAPS, map('created'));
    expect(notes.includes('sees created')).toBe(notes.includes('done'));
  }
  expect(steps).toBeGreaterThan(1);
  expect(notes.slice(-2)).toEqual(['done', 'sees created']);
});

test('what arrived while it worked is taken in before further work, also when it is much', () => {
  const { started, notes, add } = noting(1);
  for (let i = 0; i < 1200; i++) started.frame.client.create(MAPS, map(`m-${i}`));
  add();
  started.loop.step();
  add();
  while (notes.filter((note) => note === 'done').length < 2) started.loop.step();
  expect(notes.indexOf('piece 0')).toBe(0);
  expect(notes.lastIndexOf('piece 0')).toBe(1 + 1 + 1200);
});

test('a piece that throws is told, and its key is tried again', async () => {
  let tries = 0;
  const { loop, errors } = start((frame) => {
    frame
      .queue<string>(function* (): Pieces {
        yield;
        if (++tries === 1) throw new Error('a mistake');
      })
      .add('key');
  });
  while (loop.step()) continue;
  expect(errors).toEqual([new Error('a mistake')]);
  expect(tries).toBe(1);
  server.clock.freeze();
  await server.clock.advance(10);
  while (loop.step()) continue;
  expect(tries).toBe(2);
});

test('whoever ends following is not told of later changes', () => {
  const seen: string[] = [];
  let end: () => void = () => undefined;
  const { loop, frame } = start((given) => {
    end = given.follow(MAPS, (next) => seen.push(nameOf(next ?? map(''))));
  });
  frame.client.create(MAPS, map('first'));
  while (loop.step()) continue;
  end();
  frame.client.create(MAPS, map('second'));
  while (loop.step()) continue;
  expect(seen).toContain('first');
  expect(seen).not.toContain('second');
});
