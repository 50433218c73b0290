import { TOKEN_TABLE, TRANSFER_FEE_TABLE } from '../../../programs/token/table.ts';
import { formOf, type Form, type Meaning } from '../form.ts';
import { tokenEffect, transferEffect, type Reading } from '../reading.ts';

/** The mint of a transfer that names none, from either of its token accounts. */
const mintOfTransfer = (r: Reading) => r.account('mint') ?? r.mintOf('source') ?? r.mintOf('destination');

const sayTransfer = (r: Reading): string =>
  `${r.tokens('amount', mintOfTransfer(r))} go from ${r.holder('source')} to ${r.holder('destination')}, by order of ${r.name('authority')}`;

/** Of a delegate, or a multisig: what it moves is nobody's who signs, and no limit of a signer counts it. */
function ordersDanger(r: Reading): string | null {
  const owner = r.ownerOf('source');
  return owner === null || r.hasSigner(owner)
    ? null
    : `They are tokens of ${owner}, who does not sign: ${r.name('authority')} gives them away.`;
}

const transfer: Meaning = {
  action: 'transferTokens',
  danger: ordersDanger,
  say: (r) => `${sayTransfer(r)}${r.withheldText(r.amount('amount'), mintOfTransfer(r))}`,
  effects: (r) => {
    const mint = mintOfTransfer(r);
    return [
      transferEffect(r, 'source', -r.amount('amount'), { mint }),
      transferEffect(r, 'destination', r.amount('amount'), { mint }),
    ];
  },
};

/** `Transfer` and `TransferChecked`. */
export const transferForms: readonly Form[] = [
  formOf(TOKEN_TABLE.transfer, transfer),
  formOf(TOKEN_TABLE.transferChecked, transfer),
];

/** Of Token-2022's transfer fee extension. */
export const transferWithFee = formOf(TRANSFER_FEE_TABLE.transferCheckedWithFee, {
  action: 'transferTokens',
  danger: ordersDanger,
  say: (r) => `${sayTransfer(r)}; ${r.tokens('fee', r.account('mint'))} of that are withheld as fee`,
  effects: (r) => [
    tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') }),
    tokenEffect(r, 'destination', r.amount('amount') - r.amount('fee'), { mint: r.account('mint') }),
  ],
});
