import type { Effect } from '../effects.ts';
import type { FormFinding } from '../finding.ts';
import type { Form } from '../form.ts';
import { tokenEffect, type Reading } from '../reading.ts';
import { amountField, checkedFields } from './token-fields.ts';

const sayMinting = (r: Reading): string =>
  `${r.tokens('amount', r.account('mint'))} are newly made in ${r.holder('destination')}, by order of ${r.name('authority')}`;

const minting = {
  action: 'mintTokens',
  accounts: ['mint', 'destination', 'authority'],
  more: 'cosigner',
  say: sayMinting,
  effects: (r: Reading): Effect[] => [
    tokenEffect(r, 'destination', r.amount('amount'), { mint: r.account('mint') }),
  ],
  findings: (r: Reading): FormFinding[] => [
    { level: 'caution', code: 'TOKENS_MINTED', message: `${sayMinting(r)}.` },
  ],
} as const;

const burning = {
  action: 'burnTokens',
  accounts: ['source', 'mint', 'authority'],
  more: 'cosigner',
  say: (r: Reading): string =>
    `${r.tokens('amount', r.account('mint'))} in ${r.holder('source')} are destroyed`,
  effects: (r: Reading): Effect[] => [
    tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') }),
  ],
  danger: (): string => 'Burnt tokens are gone for good.',
} as const;

/** Instructions that make and destroy tokens. */
export const supplyForms: readonly Form[] = [
  { tag: 7, ...minting, fields: [amountField] },
  { tag: 14, ...minting, fields: checkedFields },
  { tag: 8, ...burning, fields: [amountField] },
  { tag: 15, ...burning, fields: checkedFields },
];
