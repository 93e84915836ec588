import { EFFECT_KINDS } from '../../../mockserver/faults/effects.js';
import { ruleWords } from '../../../mockserver/faults/explain.js';
import { fault } from '../../../mockserver/faults/fault.js';
import { type FaultRule } from '../../../mockserver/faults/rule.js';
import { readRule, readRuleText, ruleFileSchema } from '../../../mockserver/faults/rule-reader.js';
import { ValueShape } from '../../../mockserver/ground/value-shape.js';

test.each([
  { name: 'no rules', text: '{}', error: 'rules:1: rules: is required' },
  { name: 'no effect', text: 'rules: [{}]', error: 'rules:1: rules[0].effect: is required' },
  { name: 'no kind', text: 'rules: [{effect: {}}]', error: 'rules[0].effect.kind: is required' },
  {
    name: 'an unknown kind',
    text: 'rules: [{effect: {kind: explode}}]',
    error: /^rules:1: rules\[0\]\.effect\.kind: must be one of delay, delay-answer, /,
  },
  {
    name: 'a member of another effect',
    text: 'rules: [{effect: {kind: reset, ms: 3}}]',
    error: 'rules[0].effect.ms: is not known here; known are kind',
  },
  {
    name: 'a code that is none',
    text: '- effect: {kind: status, code: 200}',
    error: '[0].effect.code: must be a whole number from 400 to 599, not 200',
  },
  {
    name: 'an unknown member of the matcher',
    text: '- {match: {pod: a}, effect: {kind: reset}}',
    error: /^rules:1: \[0\]\.match\.pod: is not known here; known are verb, /,
  },
  {
    name: 'a number for a pattern',
    text: '- {match: {name: 3}, effect: {kind: reset}}',
    error: '[0].match.name: must be a text, an object with regex, or a list of them, not 3',
  },
  {
    name: 'an unknown event',
    text: '- {match: {event: {type: GONE}}, effect: {kind: drop}}',
    error: /^rules:1: \[0\]\.match\.event\.type: must be one of ADDED/,
  },
  {
    name: 'an event where there is none',
    text: '- {match: {event: {number: 1}}, effect: {kind: status, code: 500}}',
    error: '[0].match.event: an effect of kind status takes place at requests, not at events',
  },
  {
    name: 'a verb that has no events',
    text: '- {match: {verb: list}, effect: {kind: drop}}',
    error: '[0].match.verb: an effect of kind drop takes place at watch',
  },
  {
    name: 'a probability above one',
    text: '- {effect: {kind: reset}, probability: 2}',
    error: '[0].probability: must be a number from 0 to 1, not 2',
  },
  {
    name: 'times that are none',
    text: '- {effect: {kind: reset}, times: 0}',
    error: '[0].times: must be a whole number, at least 1, not 0',
  },
  {
    name: 'a regular expression that is none',
    text: '- {match: {name: {regex: "("}}, effect: {kind: reset}}',
    error: /^rules:1: \[0\]\.match\.name: Invalid regular expression/,
  },
  {
    name: 'two mistakes, each on its line',
    text: 'rules:\n- effect: {kind: delay}\n- effect: {kind: reset}\n  times: -1',
    error:
      'rules:2: rules[0].effect.ms: is required\nrules:4: rules[1].times: must be a whole number, at least 1, not -1',
  },
  { name: 'no YAML', text: 'rules: [', error: /^rules:1: / },
])('$name is refused by its path', ({ text, error }) => {
  expect(() => readRuleText(text)).toThrow(error);
});

test('one rule, a list of rules and a file say the same', () => {
  const rule = 'effect: {kind: reset}';
  const expected = [{ effect: { kind: 'reset' } }];
  expect(readRuleText(rule).rules).toEqual(expected);
  expect(readRuleText(`- ${rule}`).rules).toEqual(expected);
  expect(readRuleText(`seed: 4\nrules:\n- ${rule}`)).toEqual({ seed: 4, rules: expected });
});

const BUILT: Readonly<Record<keyof typeof fault, FaultRule>> = {
  delay: fault.delay({}, 5),
  status: fault.status({}, 500),
  tooManyRequests: fault.tooManyRequests({}),
  reset: fault.reset({}),
  hang: fault.hang({}),
  loseAnswer: fault.loseAnswer({}),
  loseCommit: fault.loseCommit({}),
  refuseWatchList: fault.refuseWatchList(),
  withholdMarker: fault.withholdMarker(),
  withholdBookmarks: fault.withholdBookmarks(),
  endAfterInitialEvents: fault.endAfterInitialEvents({}, 3),
  endWatch: fault.endWatch(),
  errorInWatch: fault.errorInWatch({}, 410),
  stall: fault.stall({}, 100),
  dropEvent: fault.dropEvent({}),
  duplicateEvent: fault.duplicateEvent({}),
  splitFrames: fault.splitFrames(),
  halfFrame: fault.halfFrame({}),
  noNewline: fault.noNewline({}),
  answer: fault.answer({}, { kind: 'Odd' }, { code: 203 }),
  compact: fault.compact({}, 7),
  expireContinue: fault.expireContinue(),
  rule: fault.rule({}, { kind: 'reset' }),
  delayAnswer: fault.delayAnswer({}, 5),
  refuseConnections: fault.refuseConnections({}, 5),
  cutBody: fault.cutBody({}, 10),
  bandwidth: fault.bandwidth({}, 1000),
  inconsistentContinue: fault.inconsistentContinue(),
  pageSize: fault.pageSize({}, 3),
  slowPages: fault.slowPages({}, 5),
  drip: fault.drip({}, 100),
  timeoutWatch: fault.timeoutWatch({}, 100),
  delayEvent: fault.delayEvent({}, { name: 'a' }, 5),
  reorderEvent: fault.reorderEvent({}),
  staleBookmarks: fault.staleBookmarks({}, 4),
  delayMarker: fault.delayMarker({}, 5),
  closeSilently: fault.closeSilently(),
  joinFrames: fault.joinFrames({}, 2),
  lateNewline: fault.lateNewline({}, 5),
  tooLargeVersion: fault.tooLargeVersion(),
  lag: fault.lag({}, 5),
  freeze: fault.freeze(),
  timeTravel: fault.timeTravel({}, 3),
  replica: fault.replica({}, 'b'),
  reinitialize: fault.reinitialize({}, 5),
  failCommit: fault.failCommit({}, 'leader changed'),
  slowCommit: fault.slowCommit({}, 5),
  conflict: fault.conflict({}),
  revisionGap: fault.revisionGap({}, 5),
  restoreBackup: fault.restoreBackup({}, 5),
  restartServer: fault.restartServer({}, 5),
  unhealthy: fault.unhealthy(),
  emulate: fault.emulate('1.33'),
};

test.each(Object.entries(BUILT).map(([name, rule]) => ({ name, rule })))(
  'the builder $name makes a rule that can be read and told in words',
  ({ rule }) => {
    expect(readRule(rule, 'rule')).toEqual(rule);
    expect(ruleWords(rule)).toMatch(/^[A-Z].* .*\.$/);
  },
);

test('every builder is tried above', () => {
  expect(Object.keys(BUILT).sort()).toEqual(Object.keys(fault).sort());
});

test('every effect is made by a builder', () => {
  const kinds = new Set(Object.values(BUILT).map(({ effect }) => effect.kind));
  expect([...kinds].sort()).toEqual([...EFFECT_KINDS].sort());
});

test('the schema for editors takes what is taken here, and refuses the rest', () => {
  const shape = new ValueShape(ruleFileSchema());
  expect(
    shape.mistakes({
      rules: Object.values(BUILT).map((rule) => JSON.parse(JSON.stringify(rule)) as unknown),
    }),
  ).toEqual([]);
  expect(shape.fits({ rules: [{ effect: { kind: 'delay' } }] })).toBe(false);
  expect(shape.fits({ rules: [{ effect: { kind: 'reset', ms: 1 } }] })).toBe(false);
});
