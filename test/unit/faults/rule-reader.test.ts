import { readRuleText } from '../../../mockserver/faults/rule-reader.js';
import { fault } from '../../../mockserver/faults/fault.js';
import { readRule } from '../../../mockserver/faults/rule-reader.js';

test.each([
  { name: 'no rules', text: '{}', error: 'file.rules: is required' },
  { name: 'no effect', text: 'rules: [{}]', error: 'rules[0].effect: is required' },
  { name: 'no kind', text: 'rules: [{effect: {}}]', error: 'rules[0].effect.kind: is required' },
  {
    name: 'an unknown kind',
    text: 'rules: [{effect: {kind: explode}}]',
    error: /^rules\[0\]\.effect\.kind: must be one of delay, status, /,
  },
  {
    name: 'a member of another effect',
    text: 'rules: [{effect: {kind: reset, ms: 3}}]',
    error: 'rules[0].effect.ms: is not known here; known are kind',
  },
  {
    name: 'a code that is none',
    text: '- effect: {kind: status, code: 200}',
    error: 'rules[0].effect.code: must be a whole number, from 400 to 599, not 200',
  },
  {
    name: 'an unknown member of the matcher',
    text: '- {match: {pod: a}, effect: {kind: reset}}',
    error: /^rules\[0\]\.match\.pod: is not known here; known are verb, /,
  },
  {
    name: 'a number for a pattern',
    text: '- {match: {name: 3}, effect: {kind: reset}}',
    error: 'rules[0].match.name: must be a text or a list of texts, not 3',
  },
  {
    name: 'an unknown event',
    text: '- {match: {event: {type: GONE}}, effect: {kind: drop}}',
    error: /^rules\[0\]\.match\.event\.type: must be one of ADDED/,
  },
  {
    name: 'an event where there is none',
    text: '- {match: {event: {number: 1}}, effect: {kind: status, code: 500}}',
    error: 'rules[0].match.event: an effect of kind status takes place at requests, not at events',
  },
  {
    name: 'a verb that has no events',
    text: '- {match: {verb: list}, effect: {kind: drop}}',
    error: 'rules[0].match.verb: an effect of kind drop takes place at watches',
  },
  {
    name: 'a probability above one',
    text: '- {effect: {kind: reset}, probability: 2}',
    error: 'rules[0].probability: must be a number from 0 to 1, not 2',
  },
  {
    name: 'times that are none',
    text: '- {effect: {kind: reset}, times: 0}',
    error: 'rules[0].times: must be a whole number, at least 1, not 0',
  },
  { name: 'no YAML', text: 'rules: [', error: /^file: yaml: line \d/ },
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

test.each(
  Object.entries({
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
    expireContinue: fault.expireContinue(),
  }).map(([name, rule]) => ({ name, rule })),
)('the builder $name makes a rule that can be read', ({ rule }) => {
  expect(readRule(rule, 'rule')).toEqual(rule);
});

test('every builder is tried above', () => {
  expect(Object.keys(fault)).toHaveLength(19);
});
