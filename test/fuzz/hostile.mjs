/** Patterns and validation rules that are made to take long, to be misread, or to break what reads them. */

const PATTERNS = [
  '(a+)+$',
  '^(a|a)*$',
  '(x*)*y',
  '^((a*)*)*$',
  '^(?:a?){30}a{30}$',
  '^(.|[a-z]|[A-Z]|[0-9])*!$',
  '(?=a)b',
  '(?<n>a)\\k<n>',
  '\\p{Greek}+',
  '[',
  '(',
  '*',
  'a{1000}',
  'a{1001}',
  '(a{100}){100}',
  '((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9})',
  '\\',
  '\\C',
  '[[:alpha:]]+',
  '(?i)ſ',
  '^\\w{1,999}\\w{1,999}$',
  '('.repeat(1500) + ')'.repeat(1500),
  '[a-z]'.repeat(3000),
  '\u{1f600}?',
];

const TEXTS = [
  'a'.repeat(30_000),
  `${'a'.repeat(30)}!`,
  '\u{1f600}'.repeat(100),
  '\ud800',
  '',
  'x',
  '1',
  '__proto__',
];

const ATOMS = [
  'self',
  'oldSelf',
  'self.__proto__',
  'self.a',
  'self.spec',
  'self.l',
  'self.m',
  'self.l[0]',
  "self.m['x']",
  '1',
  '-9223372036854775808',
  '1.0',
  "'a'",
  "b'a'",
  "r'\\'",
  'true',
  'null',
  '[]',
  '{}',
  '[1, 2, 3]',
  "{'a': 1}",
  'optional.none()',
  "duration('1h')",
  "timestamp('2026-01-01T00:00:00Z')",
  "quantity('1Gi')",
  "url('http://x')",
  "ip('::1')",
  "cidr('10.0.0.0/8')",
  "semver('1.2.3')",
  'type(self)',
  '(((',
  '"',
  '🙂',
  'in',
];

const CALLS = [
  (a) => `${a}.all(x, ${a}.all(y, ${a}.all(z, ${a}.all(w, x == w))))`,
  (a, b) => `${a}.exists(x, x == ${b})`,
  (a) => `${a}.map(x, x + x).map(x, x + x).map(x, x + x)`,
  (a) => `${a}.filter(x, true).size() > 0`,
  (a) => `${a}.matches('(a+)+$')`,
  (a, b) => `${a}.matches(${b})`,
  (a, b) => `${a}.find(${b}) == ''`,
  (a, b) => `${a}.findAll(${b}, 3).size() == 0`,
  (a, b) => `${a}.split(${b}).join('')`,
  (a, b) => `${a}.replace(${b}, ${a})`,
  (a, b) => `${a}.substring(0, ${b})`,
  (a) => `${a}.flatten().distinct().sort()`,
  (a, b) => `${a}.slice(0, ${b})`,
  (a, b) => `lists.range(${a}) == ${b}`,
  (a, b) => `sets.contains(${a}, ${b})`,
  (a, b) => `math.greatest(${a}, ${b}) == ${a}`,
  (a) => `has(${a}.x) && ${a}.?x.orValue(1) == 1`,
  (a, b) => `'%s %d'.format([${a}, ${b}])`,
  (a) => `string(${a}) == '' || int(${a}) == 1 || double(${a}) > 0.0 || bool(${a})`,
  (a, b) => `${a}.all(i, v, i == v || v == ${b})`,
  (a, b) => `${a}.transformMap(k, v, v).size() == ${b}`,
  (a, b) => `${a} ? ${b} : ${a}`,
  (a) => `!${a}`,
  (a) => `-${a}`,
  ...['==', '!=', '<', '+', '-', '*', '/', '%', '&&', '||', 'in'].map(
    (operator) => (a, b) => `${a} ${operator} ${b}`,
  ),
];

/** An expression as deep as chance has it. */
function expression(random, depth = 0) {
  if (depth > 3 || random.chance(0.3)) return random.pick(ATOMS);
  return random.pick(CALLS)(expression(random, depth + 1), expression(random, depth + 1));
}

/** Nested and long forms, which stress the readers rather than the rules. */
const DEEP = [
  (text) => `${'('.repeat(5000)}${text}${')'.repeat(5000)}`,
  (text) => `${'!'.repeat(5000)}${text}`,
  (text) => `${'['.repeat(3000)}${']'.repeat(3000)} == ${text}`,
  (text) => `${'a.'.repeat(5000)}b == ${text}`,
  (text) => Array.from({ length: 2000 }, () => text).join(' && '),
];

const ruleText = (random) =>
  random.chance(0.02) ? random.pick(DEEP)(random.pick(ATOMS)) : expression(random);

const RULES = 'x-kubernetes-validations';

/**
 * The schema of a whole object, to which `spec` members with hostile patterns and rules are added; each has a default,
 * so that even an object that knows nothing of them meets them.
 */
export function hostileSchema(schema, random) {
  const own = structuredClone(schema);
  const spec = (own.properties.spec ??= { type: 'object' });
  const rules = () =>
    Array.from({ length: random.below(3) + 1 }, () => ({
      rule: ruleText(random),
      ...(random.chance(0.2) ? { messageExpression: ruleText(random) } : {}),
      ...(random.chance(0.1) ? { fieldPath: random.pick(['.a', '.x.y', "['a']", '.a.', '[', '.l[0]']) } : {}),
      ...(random.chance(0.1) ? { optionalOldSelf: true } : {}),
    }));
  const text = () => {
    const patterned = random.chance(0.5) ? { pattern: random.pick(PATTERNS) } : {};
    const ruled = random.chance(0.3) ? { [RULES]: rules() } : {};
    return { type: 'string', maxLength: 40_000, default: random.pick(TEXTS), ...patterned, ...ruled };
  };
  const size = random.pick([3, 10, 1000]);
  spec.properties = {
    ...spec.properties,
    a: text(),
    l: { type: 'array', maxItems: size, items: text(), default: ['a', 'x', 'a'] },
    m: { type: 'object', maxProperties: size, additionalProperties: text(), default: { x: 'a' } },
  };
  if (random.chance(0.7)) spec[RULES] = [...(spec[RULES] ?? []), ...rules()];
  return own;
}
