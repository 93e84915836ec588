import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { LogSink, wantsColours } from '../../../mockserver/cli/log-sink.js';

class Reader {
  readonly texts: string[] = [];
  writableLength = 0;
  write(text: string): void {
    this.texts.push(text);
  }
}

function sinkWith() {
  const clock = new VirtualClock();
  const reader = new Reader();
  return { clock, reader, sink: new LogSink(reader, clock) };
}

test('lines are gathered and written together', () => {
  const { clock, reader, sink } = sinkWith();
  sink.write('one');
  sink.write('two');
  expect(reader.texts).toEqual([]);
  clock.advance(20);
  expect(reader.texts).toEqual(['one\ntwo\n']);
});

test('flushing writes at once, and nothing twice', () => {
  const { clock, reader, sink } = sinkWith();
  sink.write('one');
  sink.flush();
  clock.advance(1000);
  expect(reader.texts).toEqual(['one\n']);
});

test('lines that nobody reads are dropped and counted', () => {
  const { reader, sink } = sinkWith();
  reader.writableLength = 2_000_000;
  sink.write('one');
  sink.write('two');
  sink.flush();
  expect(reader.texts).toEqual([]);
  reader.writableLength = 0;
  sink.write('three');
  sink.flush();
  expect(reader.texts).toEqual(['(2 lines left out: nobody read them)\nthree\n']);
});

test.each([
  ['at a terminal', true, {}, true],
  ['in a file', false, {}, false],
  ['where NO_COLOR asks for none', true, { NO_COLOR: '1' }, false],
  ['where NO_COLOR is empty', true, { NO_COLOR: '' }, true],
  ['at a terminal that has none', true, { TERM: 'dumb' }, false],
])('colours %s', (_name, isTerminal, environment, wanted) => {
  expect(wantsColours(isTerminal, environment)).toBe(wanted);
});
