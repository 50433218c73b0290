import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../ledger/keypair.ts';
import { advanceNonce } from '../ledger/testing/instructions.ts';
import { signedVersion1 } from '../ledger/testing/version-1.ts';
import {
  LIGHTHOUSE_PROGRAM,
  NOOP_PROGRAM,
  TOKEN_2022_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../programs/addresses.ts';
import { setComputeUnitLimit } from '../programs/compute-budget.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { type Instruction, readonly, signer, writable } from '../solana/instruction.ts';
import { encodeUnsignedTransaction } from '../solana/message.ts';
import { compileV0Message } from '../solana/versioned-message.ts';
import { INVALID_REASONS } from './refusal.ts';
import { ataOf, createAta, FacilitatorScene, setComputeUnitPrice } from './testing/facilitator-scene.ts';

let scene: FacilitatorScene;
beforeAll(async () => {
  scene = await FacilitatorScene.open();
});
afterAll(() => scene.close());

const STRANGER = new Keypair(new Uint8Array(32).fill(9));

/** Returns the instructions of a stock client with one of them replaced or added. */
function changed(at: number, instruction: Instruction): Instruction[] {
  const instructions = scene.instructions();
  instructions[at] = instruction;
  return instructions;
}

/** Returns the instructions up to the transfer, and those that follow it. */
const followedBy = (...others: Instruction[]): Instruction[] => [
  ...scene.instructions().slice(0, 3),
  ...others,
];

const bodyOf = (...instructions: Instruction[]) => scene.body(scene.build({ instructions }));

/** A call of a program that could call any other. */
const unknownCall = (...accounts: Instruction['accounts']): Instruction => ({
  programId: NOOP_PROGRAM,
  accounts,
  data: Uint8Array.of(1),
});

/** Builds a transaction that loads the account of the recipient from a lookup table. */
function withLookupTable(): Uint8Array {
  const { blockhash } = scene.payments.base.head();
  const message = compileV0Message(
    { feePayer: scene.key.address, blockhash: decodeBase58(blockhash), instructions: scene.instructions() },
    { address: STRANGER.address, addresses: [ataOf(scene.merchant.address)] },
  );
  const wire = encodeUnsignedTransaction(message);
  wire.set(scene.payer.sign(message.bytes), 65);
  return wire;
}

const memos = (count: number): Instruction[] => Array.from({ length: count }, (_, at) => addMemo(`${at}`));

const PREFIX = 'invalid_exact_svm_';
const BUDGET = 'payload_transaction_instructions_compute';

/** Bodies that are refused, by reason. */
const REFUSED: readonly (readonly [reason: string, what: string, body: () => unknown])[] = [
  [
    'invalid_network',
    'testnet',
    () => {
      const network = 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z';
      return scene.body(scene.build(), scene.requirement({ network }));
    },
  ],
  [
    'invalid_network',
    'a network without a cluster',
    () => scene.body(scene.build(), scene.requirement({ network: 'solana-devnet' })),
  ],
  [
    'invalid_payment_requirements',
    'another requirement than the accepted one',
    () => ({
      ...scene.body(scene.build()),
      paymentRequirements: scene.requirement({ amount: '1' }),
    }),
  ],
  [
    'invalid_transaction_state',
    'private settlement without accounts on the rollup',
    () => scene.body(scene.build(), scene.requirement({ extra: { settlement: 'private' } })),
  ],
  [
    `${PREFIX}unsupported_scheme`,
    'the scheme upto',
    () => scene.body(scene.build(), scene.requirement({ scheme: 'upto' })),
  ],
  [
    `${PREFIX}network_mismatch`,
    'another network than the accepted one',
    () => ({
      ...scene.body(scene.build()),
      paymentRequirements: scene.requirement({ network: 'solana' }),
    }),
  ],
  [
    `${PREFIX}payload_missing_fee_payer`,
    'no fee payer',
    () => scene.body(scene.build(), scene.requirement({ extra: { feePayer: undefined } })),
  ],
  [
    `${PREFIX}fee_payer_not_managed_by_facilitator`,
    'a fee payer of someone else',
    () => scene.body(scene.build(), scene.requirement({ extra: { feePayer: STRANGER.address } })),
  ],
  [
    `${PREFIX}payload_transaction`,
    'no transaction',
    () => {
      const { paymentPayload, ...body } = scene.body(scene.build());
      return { ...body, paymentPayload: { ...paymentPayload, payload: {} } };
    },
  ],
  [
    `${PREFIX}payload_transaction_could_not_be_decoded`,
    'other bytes',
    () => scene.body(Uint8Array.of(1, 2, 3)),
  ],
  [
    `${PREFIX}payload_transaction_could_not_be_decoded`,
    'trailing bytes',
    () => scene.body(Uint8Array.of(...scene.build(), 0)),
  ],
  [
    `${PREFIX}payload_transaction_instructions_length`,
    'two instructions',
    () => bodyOf(...scene.instructions().slice(0, 2)),
  ],
  [
    `${PREFIX}payload_transaction_instructions_length`,
    'eight instructions',
    () => bodyOf(...followedBy(...memos(5))),
  ],
  [`${PREFIX}${BUDGET}_limit_instruction`, 'no limit', () => bodyOf(...changed(0, addMemo('limit')))],
  [
    `${PREFIX}${BUDGET}_limit_instruction`,
    'a limit with trailing bytes',
    () => {
      const limit = setComputeUnitLimit(20_000);
      return bodyOf(...changed(0, { ...limit, data: Uint8Array.of(...limit.data, 0) }));
    },
  ],
  [`${PREFIX}${BUDGET}_price_instruction`, 'no price', () => bodyOf(...changed(1, addMemo('price')))],
  [
    `${PREFIX}payload_no_transfer_instruction`,
    'no transfer',
    () => bodyOf(...changed(2, addMemo('transfer'))),
  ],
  [
    `${PREFIX}payload_no_transfer_instruction`,
    'a transfer with cosigners or a hook',
    () => {
      const { transfer } = scene;
      return bodyOf(
        ...changed(2, { ...transfer, accounts: [...transfer.accounts, readonly(STRANGER.address)] }),
      );
    },
  ],
  [
    `${PREFIX}payload_mint_mismatch`,
    'another mint',
    () => bodyOf(...changed(2, scene.transferOf({ mint: USDC_DEVNET_MINT }))),
  ],
  [
    `${PREFIX}payload_recipient_mismatch`,
    'another recipient',
    () => bodyOf(...changed(2, scene.transferOf({ destination: ataOf(STRANGER.address) }))),
  ],
  [
    `${PREFIX}payload_recipient_mismatch`,
    'the account of another token program',
    () => bodyOf(...changed(2, scene.transferOf({ program: TOKEN_2022_PROGRAM }))),
  ],
  [
    `${PREFIX}payload_amount_mismatch`,
    'one base unit too little',
    () => bodyOf(...changed(2, scene.transferOf({ amount: 9_999n }))),
  ],
  ...(['fourth', 'fifth', 'sixth', 'seventh'] as const).map(
    (ordinal, at) =>
      [
        `${PREFIX}payload_unknown_${ordinal}_instruction`,
        'a second transfer',
        () => bodyOf(...followedBy(...memos(at), scene.transferOf({ destination: ataOf(STRANGER.address) }))),
      ] as const,
  ),
  [
    `${PREFIX}payload_memo_count`,
    'two memos instead of the required one',
    () =>
      scene.body(
        scene.build({ instructions: followedBy(addMemo('invoice'), addMemo('invoice')) }),
        scene.requirement({ extra: { memo: 'invoice' } }),
      ),
  ],
  [
    `${PREFIX}payload_memo_mismatch`,
    'another memo',
    () => scene.body(scene.build(), scene.requirement({ extra: { memo: 'invoice' } })),
  ],
  [
    `${PREFIX}payload_signature_invalid`,
    'no signature of the payer',
    () => scene.body(scene.build({ signers: [] })),
  ],
  [
    `${PREFIX}payload_signature_invalid`,
    'a changed message',
    () => {
      const wire = scene.build();
      wire[wire.length - 2] = (wire[wire.length - 2] as number) ^ 1;
      return scene.body(wire);
    },
  ],
  [
    `${PREFIX}payload_signature_invalid`,
    'a signer other than the payer',
    () => {
      const { transfer } = scene;
      const unsigned = {
        ...transfer,
        accounts: transfer.accounts.map((account) => ({ ...account, signer: false })),
      };
      const memo = { ...addMemo('x'), accounts: [signer(STRANGER.address)] };
      const instructions = [...changed(2, unsigned).slice(0, 3), memo];
      return scene.body(scene.build({ instructions, signers: [STRANGER] }));
    },
  ],
  [
    `${PREFIX}transaction_simulation_failed`,
    'more than the payer has',
    () => bodyOf(...changed(2, scene.transferOf({ amount: 1_000_000_000n }))),
  ],
  [
    `${PREFIX}transaction_simulation_failed`,
    'Lighthouse on a ledger without it',
    () => bodyOf(...followedBy({ ...unknownCall(), programId: LIGHTHOUSE_PROGRAM })),
  ],
  [
    `${PREFIX}verification_failed`,
    'a payment to the payer itself',
    () => {
      const payTo = scene.payer.address;
      const instructions = changed(2, scene.transferOf({ destination: ataOf(payTo) }));
      return scene.body(scene.build({ instructions }), scene.requirement({ payTo }));
    },
  ],
];

/** Attempts to make the facilitator pay more than the network fee, and the bytes that its key is shown. */
const DRAINS: readonly (readonly [
  what: string,
  reason: string,
  build: () => Uint8Array,
  /** Whether the key itself refuses the bytes. If not, signing them would cost the fee only. */
  isRefusedByKey: boolean,
])[] = [
  [
    'the fee payer is the authority',
    'payload_transaction_fee_payer_transferring_funds',
    () => {
      const authority = scene.key.address;
      return scene.build({
        instructions: changed(2, scene.transferOf({ authority, source: ataOf(authority) })),
        signers: [],
      });
    },
    true,
  ],
  [
    'an instruction names the fee payer',
    'payload_transaction_fee_payer_transferring_funds',
    () =>
      scene.build({ instructions: followedBy({ ...addMemo('x'), accounts: [signer(scene.key.address)] }) }),
    true,
  ],
  [
    'the fee payer sends lamports',
    'payload_transaction_fee_payer_transferring_funds',
    () =>
      scene.build({ instructions: followedBy(transferLamports(scene.key.address, STRANGER.address, 1n)) }),
    true,
  ],
  [
    'the fee payer is paid and pays on',
    'payload_transaction_fee_payer_transferring_funds',
    () => {
      const authority = scene.key.address;
      const onwards = scene.transferOf({
        authority,
        source: ataOf(authority),
        destination: ataOf(STRANGER.address),
      });
      return scene.build({
        instructions: [
          ...changed(2, scene.transferOf({ destination: ataOf(authority) })).slice(0, 3),
          onwards,
        ],
      });
    },
    true,
  ],
  [
    'another key must sign',
    'payload_excessive_signers',
    () =>
      scene.build({
        instructions: followedBy({ ...addMemo('x'), accounts: [signer(STRANGER.address)] }),
        signers: [scene.payer, STRANGER],
      }),
    true,
  ],
  ['an account comes from a lookup table', 'payload_transaction', withLookupTable, true],
  [
    'the price is too high',
    `${BUDGET}_price_instruction_too_high`,
    () => scene.build({ instructions: changed(1, setComputeUnitPrice(5_000_001n)) }),
    true,
  ],
  [
    'limit and price are within their bounds, but not the fee (bug: a payer could burn two million lamports)',
    `${BUDGET}_price_instruction_too_high`,
    () => {
      const budget = [setComputeUnitLimit(400_000), setComputeUnitPrice(5_000_000n)];
      return scene.build({ instructions: [...budget, ...changed(0, setComputeUnitLimit(1)).slice(2)] });
    },
    true,
  ],
  [
    'the limit is too high',
    `${BUDGET}_limit_instruction_too_high`,
    () => scene.build({ instructions: changed(0, setComputeUnitLimit(400_001)) }),
    true,
  ],
  [
    'another program is called',
    'payload_unknown_fourth_instruction',
    () => scene.build({ instructions: followedBy(unknownCall(writable(ataOf(scene.key.address)))) }),
    false,
  ],
  [
    'another program is called with the fee payer',
    'payload_transaction_fee_payer_transferring_funds',
    () => scene.build({ instructions: followedBy(unknownCall(signer(scene.key.address))) }),
    true,
  ],
  [
    'the fee payer pays for a token account',
    'payload_transaction_fee_payer_transferring_funds',
    () => scene.build({ instructions: followedBy(createAta(scene.key.address, STRANGER.address)) }),
    true,
  ],
  [
    'a durable nonce keeps it valid',
    `${BUDGET}_limit_instruction`,
    () =>
      scene.build({
        instructions: [advanceNonce(STRANGER.address, scene.payer.address), ...scene.instructions()],
      }),
    true,
  ],
  ['another key pays the fee', 'fee_payer_mismatch', () => scene.build({ feePayer: STRANGER.address }), true],
  [
    'the blockhash is of the other ledger',
    'transaction_simulation_failed',
    () => scene.build({ blockhash: scene.rollupBlockhash }),
    false,
  ],
  [
    'version 1 has its priority fee elsewhere',
    'payload_transaction',
    () => {
      const { blockhash } = scene.payments.base.head();
      const feePayer = scene.key.address;
      return signedVersion1(
        { feePayer, blockhash, instructions: scene.instructions(), priorityFee: 1_000_000_000n },
        [scene.payer],
      ).wire;
    },
    true,
  ],
];

describe('the verifier refuses', () => {
  it.each(REFUSED)('with %s: %s', async (reason, _, body) => {
    // Members that are undefined are absent from a request.
    const request: unknown = JSON.parse(JSON.stringify(body()));
    expect(await scene.verifier.verify(request)).toMatchObject({ isValid: false, invalidReason: reason });
  });

  it('for every reason of standard wallets', () => {
    const tested = new Set([
      ...REFUSED.map(([reason]) => reason),
      ...DRAINS.map(([, reason]) => `${PREFIX}${reason}`),
    ]);
    expect(INVALID_REASONS.filter((reason) => !tested.has(reason))).toEqual([]);
  });
});

describe('the fee payer loses nothing if', () => {
  it.each(DRAINS)('%s: %s', async (_, reason, build, isRefusedByKey) => {
    const wire = build();
    // The last attempt needs the recipient to be the fee payer.
    const payTo = reason.endsWith('transferring_funds') ? scene.key.address : scene.merchant.address;
    const verdict = await scene.verifier.verify(scene.body(wire, scene.requirement({ payTo })));
    expect(verdict).toMatchObject({ isValid: false, invalidReason: `${PREFIX}${reason}` });
    expect(verdict).not.toHaveProperty('payment');
    const sign = () =>
      scene.key.cosign({
        id: '',
        identifier: null,
        cluster: 'localnet',
        ledger: 'base',
        network: '',
        wire,
        lastValidBlockHeight: 0,
        payer: scene.payer.address,
        payTo,
        mint: USDC_MINT,
        amount: 1n,
        lamportsMax: 0n,
      });
    if (isRefusedByKey) expect(sign).toThrow(expect.objectContaining({ reason: `${PREFIX}${reason}` }));
  });
});
