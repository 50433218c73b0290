import { NATIVE_MINT, TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { SPL_TOKEN, TOKEN_TABLE, TRANSFER_FEE_TABLE } from '../../../programs/token/table.ts';
import { type Form, formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { caution, type FindingCode } from '../finding.ts';
import { type Reading, tokenEffect, transferEffect } from '../reading.ts';
import { closingTokenEffects, syncEffects, unknownLamports } from './account-lamports.ts';

/** Initialization forms. The owner is an account in some and a field in others. */
const initialization: Meaning = {
  action: 'initializeAccount',
  say: (r) =>
    `${r.name('account')} becomes a token account of ${r.address('owner') ?? r.name('owner')} for mint ${r.name('mint')}`,
  effects: (r, earlier) => syncEffects(r, 'account', earlier),
};

const mintOfSource = (r: Reading) => r.account('mint') ?? r.mintOf('source');

const approval: Meaning = {
  action: 'approve',
  say: (r) =>
    r.amount('amount') === 0n
      ? `${r.name('delegate')} can no longer take tokens from ${r.holder('source')}, nor can anyone but its owner`
      : `${r.name('delegate')} can from now on take up to ${r.tokens('amount', mintOfSource(r))} from ${r.holder('source')}`,
  // An account has one delegate, so approving zero revokes it.
  danger: (r) =>
    r.amount('amount') === 0n
      ? null
      : `${r.name('delegate')} could take the approved tokens at any time, without asking.`,
};

/** Rights that `SetAuthority` transfers (SPL Token `AuthorityType`). */
const AUTHORITIES = ['minting', 'freezing', 'the ownership of the account', 'closing the account'];

const freezing = (ending: string, code: FindingCode): Meaning => ({
  say: (r) => `${r.holder('account')} is ${ending}`,
  findings: (r) => [
    caution(
      code,
      `${r.name('authority')} has authority over mint ${r.name('mint')}: ${r.holder('account')} is ${ending}.`,
    ),
  ],
});

const sayMinting = (r: Reading): string =>
  `${r.tokens('amount', r.account('mint'))} are minted to ${r.holder('destination')}, by ${r.name('authority')}`;

const minting: Meaning = {
  action: 'mintTokens',
  say: sayMinting,
  effects: (r) => [tokenEffect(r, 'destination', r.amount('amount'), { mint: r.account('mint') })],
  findings: (r) => [caution('TOKENS_MINTED', `${sayMinting(r)}.`)],
};

const burning: Meaning = {
  action: 'burnTokens',
  say: (r) => `${r.tokens('amount', r.account('mint'))} in ${r.holder('source')} are destroyed`,
  effects: (r) => [tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') })],
  danger: () => 'Burned tokens cannot be recovered.',
};

/** Returns the mint of a transfer, or of its token accounts if the transfer names no mint. */
const mintOfTransfer = (r: Reading) => r.account('mint') ?? r.mintOf('source') ?? r.mintOf('destination');

const sayTransfer = (r: Reading): string =>
  `${r.tokens('amount', mintOfTransfer(r))} go from ${r.holder('source')} to ${r.holder('destination')}, authorized by ${r.name('authority')}`;

/** Warns if the source's owner does not sign: a delegate or multisig then bypasses the signers' limits. */
function ordersDanger(r: Reading): string | null {
  const owner = r.ownerOf('source');
  return owner === null || r.hasSigner(owner)
    ? null
    : `These are tokens of ${owner}, who does not sign: ${r.name('authority')} gives them away.`;
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

/** Token-2022 transfer with a stated transfer fee. */
const transferCheckedWithFee: Meaning = {
  action: 'transferTokens',
  danger: ordersDanger,
  say: (r) => `${sayTransfer(r)}; ${r.tokens('fee', r.account('mint'))} of that are withheld as fee`,
  effects: (r) => [
    tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') }),
    tokenEffect(r, 'destination', r.amount('amount') - r.amount('fee'), { mint: r.account('mint') }),
  ],
};

const shared: readonly Form[] = formsOf(TOKEN_TABLE, {
  initializeAccount: initialization,
  initializeAccount2: initialization,
  initializeAccount3: initialization,
  closeAccount: {
    say: (r) =>
      `${r.holder('account')} is closed and all its lamports${unknownLamports(r, 'account')}${r.mintOf('account') === NATIVE_MINT ? ', wrapped SOL included,' : ''} go to ${r.name('destination')}`,
    effects: closingTokenEffects,
    danger: (r) =>
      r.account('destination') === r.account('authority')
        ? null
        : `The lamports of the account, wrapped SOL included, would go to ${r.name('destination')} and not to its owner.`,
  },
  syncNative: {
    say: (r) => `The amount of wrapped SOL in ${r.holder('account')} is set to its lamports`,
    effects: (r, earlier) => syncEffects(r, 'account', earlier),
  },
  approve: approval,
  approveChecked: approval,
  revoke: {
    say: (r) => `Only its owner can take tokens from ${r.holder('source')} from now on`,
  },
  setAuthority: {
    say: (r) =>
      `${AUTHORITIES[r.number('authorityType')] ?? `authority ${r.number('authorityType')}`} of ${r.name('account')} goes to ${r.address('newAuthority') ?? 'no one, forever'}`,
    danger: (r) =>
      `${r.address('newAuthority') ?? 'No one'} would then have ${AUTHORITIES[r.number('authorityType')] ?? 'an authority'} over ${r.name('account')}.`,
  },
  freezeAccount: freezing('frozen', 'ACCOUNT_FROZEN'),
  thawAccount: freezing('thawed', 'ACCOUNT_THAWED'),
  transfer,
  transferChecked: transfer,
  mintTo: minting,
  mintToChecked: minting,
  burn: burning,
  burnChecked: burning,
});

export const splTokenProgram: KnownProgram = { ...SPL_TOKEN, forms: shared };

export const token2022Program: KnownProgram = {
  ...SPL_TOKEN,
  address: TOKEN_2022_PROGRAM,
  name: 'Token-2022',
  forms: [...shared, ...formsOf(TRANSFER_FEE_TABLE, { transferCheckedWithFee })],
};
