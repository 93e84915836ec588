/** Length and pattern of texts. */
import { tooLong } from '../../ground/field-error.js';
import { type Finding } from './findings.js';
import { type ValueRules } from './value-rules.js';

/** The first of length and pattern that the text breaks. Source: kube-openapi validation/validate/validator.go. */
export function textFinding(text: string, rules: ValueRules, path: string): Finding | undefined {
  const { maxLength, minLength, pattern } = rules;
  if (maxLength !== undefined && text.length > maxLength && characters(text) > maxLength) {
    const { reason, detail } = tooLong('', maxLength);
    return { path, text: `${path} in body should be at most ${maxLength} chars long`, reason, detail };
  }
  if (minLength !== undefined && characters(text) < minLength) {
    return wrong(path, text, `should be at least ${minLength} chars long`);
  }
  if (pattern !== undefined && !pattern.compiled().test(text)) {
    return wrong(path, text, `should match '${pattern.text}'`);
  }
  return undefined;
}

const wrong = (path: string, value: string, what: string): Finding => ({
  path,
  text: `${path} in body ${what}`,
  reason: 'FieldValueInvalid',
  value,
});

/** Characters beyond U+FFFF are two units of a text and one character. */
function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}
