/** Watches over WebSockets. */
import { brief, type WatchEvent } from './documents.js';
import { useTarget } from './target.js';
import { type Message, openWebSocket, WebSocketStream } from './web-socket.js';

const target = useTarget('websocket');

async function open(path: string): Promise<WebSocketStream> {
  const opened = await openWebSocket(target.place, path);
  if (!(opened instanceof WebSocketStream)) throw new Error(`not switched: ${opened.statusCode}`);
  return opened;
}

const eventOf = ({ payload }: Message): WatchEvent => JSON.parse(payload.toString()) as WatchEvent;

test('each event is one text message that ends in a newline', async () => {
  const a = await target.configMap('a', { k: 'žluťoučký 🐎' });
  const socket = await open(target.path('configmaps?watch=1'));
  const first = await socket.next();
  expect(first.kind).toBe('text');
  expect(first.payload.toString().endsWith('}\n')).toBe(true);
  expect(eventOf(first)).toEqual({ type: 'ADDED', object: a });
  await target.configMap('b', { k: 'x'.repeat(70_000) });
  const second = await socket.next();
  expect(brief(eventOf(second))).toBe('ADDED b');
  expect(eventOf(second).object.data['k']).toHaveLength(70_000);
  socket.close();
});

test('a timeout is a close with code 1000', async () => {
  const socket = await open(target.path('secrets?watch=1&timeoutSeconds=1&resourceVersion=0'));
  await target.pass(1000);
  const last = await socket.next();
  expect(last.kind).toBe('close');
  expect(last.payload.readUInt16BE(0)).toBe(1000);
  socket.close();
});

test('what is wrong with the request is said before anything is switched', async () => {
  const answer = await openWebSocket(target.place, target.path('configmaps?watch=1&sendInitialEvents=true'));
  if (answer instanceof WebSocketStream) throw new Error('switched');
  expect(answer.statusCode).toBe(422);
  answer.resume();
});

test('a request without an Origin is refused', async () => {
  const answer = await openWebSocket(target.place, target.path('configmaps?watch=1'), {});
  if (answer instanceof WebSocketStream) throw new Error('switched');
  expect(answer.statusCode).toBe(403);
  answer.resume();
});
