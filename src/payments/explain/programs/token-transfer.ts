import type { Effect } from '../effects.ts';
import type { Form } from '../form.ts';
import { tokenEffect, transferEffect, type Reading } from '../reading.ts';
import { amountField, checkedFields } from './token-fields.ts';

/** Mint of a transfer that names none, from either of its token accounts. */
const mintOfTransfer = (r: Reading) => r.account('mint') ?? r.mintOf('source') ?? r.mintOf('destination');

const sayTransfer = (r: Reading): string =>
  `${r.tokens('amount', mintOfTransfer(r))} go from ${r.holder('source')} to ${r.holder('destination')}, by order of ${r.name('authority')}`;

const transfer = {
  action: 'transferTokens',
  more: 'cosigner',
  say: (r: Reading): string => `${sayTransfer(r)}${r.withheldText(r.amount('amount'), mintOfTransfer(r))}`,
  effects: (r: Reading): Effect[] => {
    const mint = mintOfTransfer(r);
    return [
      transferEffect(r, 'source', -r.amount('amount'), { mint }),
      transferEffect(r, 'destination', r.amount('amount'), { mint }),
    ];
  },
} as const;

/** `Transfer` and `TransferChecked`. */
export const transferForms: readonly Form[] = [
  { tag: 3, ...transfer, accounts: ['source', 'destination', 'authority'], fields: [amountField] },
  { tag: 12, ...transfer, accounts: ['source', 'mint', 'destination', 'authority'], fields: checkedFields },
];

/** `TransferCheckedWithFee` (26, 1) of Token-2022's transfer fee extension. */
export const transferWithFee: Form = {
  tag: 26,
  action: 'transferTokens',
  accounts: ['source', 'mint', 'destination', 'authority'],
  more: 'cosigner',
  fields: [['extensionTag', { const: 1 }], amountField, ['decimals', 'u8'], ['fee', 'u64']],
  say: (r) => `${sayTransfer(r)}; ${r.tokens('fee', r.account('mint'))} of that are withheld as fee`,
  effects: (r) => [
    tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') }),
    tokenEffect(r, 'destination', r.amount('amount') - r.amount('fee'), { mint: r.account('mint') }),
  ],
};
