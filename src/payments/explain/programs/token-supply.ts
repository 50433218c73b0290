import { TOKEN_TABLE } from '../../../programs/token/table.ts';
import { formOf, type Form, type Meaning } from '../form.ts';
import { tokenEffect, type Reading } from '../reading.ts';

const sayMinting = (r: Reading): string =>
  `${r.tokens('amount', r.account('mint'))} are newly made in ${r.holder('destination')}, by order of ${r.name('authority')}`;

const minting: Meaning = {
  action: 'mintTokens',
  say: sayMinting,
  effects: (r) => [tokenEffect(r, 'destination', r.amount('amount'), { mint: r.account('mint') })],
  findings: (r) => [{ level: 'caution', code: 'TOKENS_MINTED', message: `${sayMinting(r)}.` }],
};

const burning: Meaning = {
  action: 'burnTokens',
  say: (r) => `${r.tokens('amount', r.account('mint'))} in ${r.holder('source')} are destroyed`,
  effects: (r) => [tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') })],
  danger: () => 'Burnt tokens are gone for good.',
};

/** Instructions that mint and burn tokens. */
export const supplyForms: readonly Form[] = [
  formOf(TOKEN_TABLE.mintTo, minting),
  formOf(TOKEN_TABLE.mintToChecked, minting),
  formOf(TOKEN_TABLE.burn, burning),
  formOf(TOKEN_TABLE.burnChecked, burning),
];
