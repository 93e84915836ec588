import { type EventFrame } from '../../../mockserver/http/answer.js';
import { FrameChunks } from '../../../mockserver/http/frame-chunks.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { startPump, type FrameSink } from '../../../mockserver/http/watch-pump.js';
import { PlayedSource, frameOf, get, startTestServer, unchunked, type TestServer } from './support.js';

const frames = (count: number, text = ''): EventFrame[] =>
  Array.from({ length: count }, (_, i) => frameOf({ type: 'ADDED', object: { n: i, text } }));

describe('the pump', () => {
  /** A sink that takes so many bursts before it wants no more. */
  class PlayedSink implements FrameSink<EventFrame> {
    bursts: number[] = [];
    ends = 0;
    room = Infinity;
    #drain: (() => void) | undefined;
    write(burst: readonly EventFrame[]): boolean {
      this.bursts.push(burst.length);
      this.room -= 1;
      return this.room > 0;
    }
    onDrain(callback: () => void): void {
      this.#drain = callback;
    }
    end(): void {
      this.ends += 1;
    }
    drain(room: number): void {
      this.room = room;
      this.#drain?.();
    }
  }
  const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('writes what is ready at once, in bursts', () => {
    const source = new PlayedSource();
    source.offer(...frames(20));
    const sink = new PlayedSink();
    startPump(source, sink);
    expect(sink.bursts).toEqual([16, 4]);
  });

  test('joins what is offered in one turn', async () => {
    const source = new PlayedSource();
    const sink = new PlayedSink();
    startPump(source, sink);
    for (const frame of frames(3)) source.offer(frame);
    expect(sink.bursts).toEqual([]);
    await microtasks();
    expect(sink.bursts).toEqual([3]);
  });

  test('takes nothing while the sink wants nothing', async () => {
    const source = new PlayedSource();
    const sink = new PlayedSink();
    sink.room = 1;
    startPump(source, sink);
    source.offer(...frames(40));
    await microtasks();
    expect(source.taken).toBe(16);
    sink.drain(1);
    expect(source.taken).toBe(32);
    sink.drain(9);
    expect(source.taken).toBe(40);
  });

  test('ends the sink after the last frame of a watch that has ended', async () => {
    const source = new PlayedSource();
    const sink = new PlayedSink();
    const pump = startPump(source, sink);
    source.offer(...frames(17));
    source.end();
    await pump.over;
    expect([sink.bursts, sink.ends, source.closed]).toEqual([[16, 1], 1, 1]);
  });

  test.each(['stop', 'finish'] as const)('closes the source once on %s, whatever follows', async (way) => {
    const source = new PlayedSource();
    const sink = new PlayedSink();
    const pump = startPump(source, sink);
    pump[way]();
    pump.stop();
    pump.finish();
    source.offer(...frames(1));
    await pump.over;
    expect([sink.bursts, sink.ends, source.closed]).toEqual([[], way === 'finish' ? 1 : 0, 1]);
  });

  test('closes the source and says so when a frame cannot be encoded', async () => {
    const source = new PlayedSource();
    const sink: FrameSink<EventFrame> = {
      write: () => {
        throw new Error('broken');
      },
      onDrain: () => undefined,
      end: () => undefined,
    };
    const pump = startPump(source, sink);
    source.offer(...frames(1));
    await expect(pump.over).rejects.toThrow('broken');
    expect(source.closed).toBe(1);
  });
});

describe('chunks', () => {
  const buffers = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

  test('hold the frames of a burst in order', () => {
    expect(new FrameChunks().chunkOf(buffers('abc\n', 'defghijklmnop\n')).toString()).toBe(
      '12\r\nabc\ndefghijklmnop\n\r\n',
    );
  });

  test('are shared by bursts of the same buffers, and by no others', () => {
    const chunks = new FrameChunks();
    const [a, b] = buffers('a', 'b') as [Buffer, Buffer];
    const both = chunks.chunkOf([a, b]);
    expect(chunks.chunkOf([a])).not.toBe(both);
    expect(chunks.chunkOf([a, b])).toBe(both);
    expect(chunks.chunkOf([b, a])).not.toBe(both);
    expect(chunks.chunkOf(buffers('a', 'b'))).not.toBe(both);
  });

  test('are forgotten after a while', () => {
    const chunks = new FrameChunks();
    const burst = buffers('a');
    const first = chunks.chunkOf(burst);
    for (let i = 0; i < 8; i++) chunks.chunkOf(buffers(`${i}`));
    expect(chunks.chunkOf(burst)).not.toBe(first);
  });
});

describe('a watch over HTTP', () => {
  let server: TestServer;
  let source: PlayedSource;
  let done: Promise<void> | undefined;

  beforeEach(async () => {
    source = new PlayedSource();
    server = await startTestServer((exchange, writer) => {
      done = writer.write(exchange, { kind: 'watch', source, format: jsonFormat, warnings: ['w'] });
      return done;
    });
  });
  afterEach(() => server.stop());

  test('sends its head at once', async () => {
    const head = await server.client().send(get('/')).until('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head).toContain('\r\nContent-Type: application/json\r\n');
    expect(head).toContain('\r\nTransfer-Encoding: chunked\r\n');
    expect(head).toContain('\r\nWarning: 299 - "w"\r\n');
    expect(head.endsWith('\r\n\r\n')).toBe(true);
  });

  test('sends each frame when it is there, and ends with the last chunk', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    source.offer(...frames(1));
    await client.until('"n":0');
    source.offer(...frames(3).slice(1));
    await client.until('"n":2');
    source.end();
    const response = await client.until('0\r\n\r\n');
    expect(unchunked(response).split('\n')).toEqual([
      '{"type":"ADDED","object":{"n":0,"text":""}}',
      '{"type":"ADDED","object":{"n":1,"text":""}}',
      '{"type":"ADDED","object":{"n":2,"text":""}}',
      '',
    ]);
    expect(response.endsWith('0\r\n\r\n')).toBe(true);
    await done;
    expect(source.closed).toBe(1);
  });

  test('that is over at once still ends in good order, and leaves the connection usable', async () => {
    source.offer(...frames(1));
    source.end();
    const client = server.client().send(get('/'));
    await client.until('0\r\n\r\n');
    source = new PlayedSource();
    source.end();
    client.send(get('/'));
    expect(await client.until(/0\r\n\r\n[^]*0\r\n\r\n$/)).toMatch(/^HTTP[^]*HTTP[^]*0\r\n\r\n$/);
  });

  test('of HTTP/1.0 has no chunks and ends with the connection', async () => {
    source.offer(...frames(2));
    source.end();
    const response = await server.client().send('GET / HTTP/1.0\r\n\r\n').closed();
    expect(response).not.toMatch(/^Transfer-Encoding/im);
    expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(
      '{"type":"ADDED","object":{"n":0,"text":""}}\n{"type":"ADDED","object":{"n":1,"text":""}}\n',
    );
  });

  test('that waits behind another answer on its connection is written when its turn comes', async () => {
    const first = source;
    const second = new PlayedSource();
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    source = second;
    second.offer(...frames(2).slice(1));
    client.send(get('/'));
    first.offer(...frames(1));
    await client.until('"n":0');
    expect(client.text).not.toContain('"n":1');
    first.end();
    second.end();
    expect(await client.until(/"n":1[^]*0\r\n\r\n/)).toMatch(/"n":0[^]*0\r\n\r\nHTTP\/1.1 200[^]*"n":1/);
  });

  test('is closed when its client goes away', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    expect(server.writer.openWatches).toBe(1);
    client.destroy();
    await done;
    expect([source.closed, server.writer.openWatches]).toEqual([1, 0]);
  });

  test('is felt by its source when the client does not read', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    client.socket.pause();
    const all = frames(20_000, 'x'.repeat(2000));
    source.offer(...all);
    let before = -1;
    while (source.taken !== before) {
      before = source.taken;
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(source.taken).toBeLessThan(all.length);
    client.socket.resume();
    while (source.taken < all.length) await new Promise((resolve) => setImmediate(resolve));
    source.end();
    await done;
    expect(source.taken).toBe(all.length);
  });

  test('that is over ends with what a client that does not read has been sent', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    client.socket.pause();
    const all = frames(20_000, 'x'.repeat(2000));
    source.offer(...all);
    let before = -1;
    while (source.taken !== before) {
      before = source.taken;
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    source.end();
    client.socket.resume();
    await done;
    expect(source.taken).toBeLessThan(all.length);
  });

  test('is cut when a frame cannot be encoded', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    source.offer({
      bytes: () => {
        throw new Error('broken');
      },
    });
    expect((await client.closed()).endsWith('0\r\n\r\n')).toBe(false);
    await done;
    expect(source.closed).toBe(1);
  });

  test('is ended in good order when the server stops', async () => {
    const client = server.client().send(get('/'));
    await client.until('\r\n\r\n');
    await server.listener.stop();
    expect((await client.closed()).endsWith('0\r\n\r\n')).toBe(true);
    expect(source.closed).toBe(1);
  });
});
