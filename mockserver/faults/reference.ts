/** The reference of effects and matchers as Markdown: docs/faults.md holds it, and a test that it is what is declared. */
import { EFFECT_KINDS, EFFECTS } from './effects.js';
import { EVENT_MEMBERS, MATCH_MEMBERS } from './match.js';
import { type Members } from './member.js';
import { WHEN_MEMBERS } from './rule.js';

/** Shape: three lists, each under a heading. */
export const reference = (): string =>
  [
    '### When a rule is in force',
    membersText(WHEN_MEMBERS),
    '### What it matches',
    [membersText(MATCH_MEMBERS), membersText(EVENT_MEMBERS, 'event.')].join('\n'),
    '### What it does',
    EFFECT_KINDS.map(effectText).join('\n'),
  ].join('\n\n');

const membersText = (members: Members, prefix = ''): string =>
  Object.entries(members)
    .map(([name, { says }]) => `- \`${prefix}${name}\`: ${says}`)
    .join('\n');

function effectText(kind: (typeof EFFECT_KINDS)[number]): string {
  const { area, says, members, atEvents } = EFFECTS[kind];
  const told = Object.entries(members as Members).map(
    ([name, one]) => `\`${name}\`${one.needed ? ' (required)' : ''}: ${one.says}`,
  );
  const given = told.length === 0 ? '' : `. ${told.join('; ')}`;
  return `- \`${kind}\` (${area}${atEvents ? ', at events too' : ''}): ${says}${given}`;
}
