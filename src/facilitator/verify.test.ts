import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulationResult } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Keypair } from '../ledger/keypair.ts';
import { readProgramDump } from '../ledger/genesis/dumps.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { silentLogger } from '../ports/logger.ts';
import { LIGHTHOUSE_PROGRAM, NOOP_PROGRAM } from '../programs/addresses.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { TOKEN_TABLE } from '../programs/token/table.ts';
import type { PaymentScene } from '../rollup/testing/payment-scene.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { ataOf, type Built, FacilitatorScene, NETWORK, PRICE } from './testing/facilitator-scene.ts';
import { createVerifier } from './verify.ts';
import type { PaymentVerdict, VerifiedPayment } from './verified-payment.ts';

const warnings: (readonly [object, string])[] = [];
const logger = { ...silentLogger, warn: (...line: [object, string]) => void warnings.push(line) };

let scene: FacilitatorScene;
beforeEach(async () => {
  warnings.length = 0;
  scene = await FacilitatorScene.open(logger);
});
afterEach(() => scene.close());

const STRANGER = new Keypair(new Uint8Array(32).fill(9)).address;

/** Returns the ledger of a valid payment, or the reason and the message of an invalid one. */
const outcomeOf = (verdict: PaymentVerdict): string =>
  verdict.isValid ? verdict.payment.ledger : `${verdict.invalidReason}: ${verdict.invalidMessage}`;

/** Judges a payment of version 2. */
const judge = (built?: Built, requirement?: object): Promise<PaymentVerdict> =>
  scene.verifier.verify(scene.body(scene.build(built), requirement));

const outcome = async (...args: Parameters<typeof judge>): Promise<string> => outcomeOf(await judge(...args));

/** Returns the instructions of a stock client with another transfer. */
const paying = (transfer: Parameters<FacilitatorScene['transferOf']>[0]): Instruction[] =>
  scene.instructions().with(2, scene.transferOf(transfer));

async function verified(built?: Built): Promise<VerifiedPayment> {
  const verdict = await judge(built);
  if (!verdict.isValid) throw new Error(outcomeOf(verdict));
  return verdict.payment;
}

describe('a payment on base', () => {
  it('is valid as a stock client builds it', async () => {
    const wire = scene.build();
    expect(await scene.verifier.verify(scene.body(wire))).toMatchObject({
      isValid: true,
      payment: {
        id: expect.stringMatching(/^[\w-]{43}$/),
        identifier: null,
        cluster: 'localnet',
        ledger: 'base',
        network: NETWORK,
        wire,
        lastValidBlockHeight: scene.payments.base.head().lastValidBlockHeight,
        payer: scene.payer.address,
        payTo: scene.merchant.address,
        amount: PRICE,
        lamportsMax: 10_001n,
      },
    });
  });

  it('is valid in version 1', async () => {
    const { amount: maxAmountRequired, ...terms } = scene.requirement({ network: 'solana' });
    const { payload } = scene.body(scene.build()).paymentPayload;
    const paymentPayload = { x402Version: 1, scheme: 'exact', network: 'solana', payload };
    const verdict = await scene.verifier.verify({
      x402Version: 1,
      paymentPayload,
      paymentRequirements: { ...terms, maxAmountRequired },
    });
    expect(outcomeOf(verdict)).toBe('base');
  });

  it('is valid as a legacy transaction', async () => {
    const message = compileLegacyMessage({
      feePayer: scene.key.address,
      blockhash: decodeBase58(scene.payments.base.head().blockhash),
      instructions: scene.instructions(),
    });
    const wire = encodeUnsignedTransaction(message);
    wire.set(scene.payer.sign(message.bytes), 65);
    expect(outcomeOf(await scene.verifier.verify(scene.body(wire)))).toBe('base');
  });

  it('may pay more than is required', async () => {
    const instructions = paying({ amount: PRICE + 5n });
    expect(await verified({ instructions })).toMatchObject({ amount: PRICE + 5n });
  });

  it('has the memo that is required', async () => {
    const requirement = scene.requirement({ extra: { memo: 'Rechnung №7' } });
    expect(await outcome({ instructions: scene.instructions('Rechnung №7') }, requirement)).toBe('base');
  });

  it('may go to the fee payer', async () => {
    await scene.payments.base.airdropTokens(scene.key.address, scene.payments.chain.defaultMint, 1n);
    const payTo = scene.key.address;
    const instructions = paying({ destination: ataOf(payTo) });
    expect(await outcome({ instructions }, scene.requirement({ payTo }))).toBe('base');
  });

  it('has the identifier that the payer chose', async () => {
    const { paymentPayload, ...body } = scene.body(scene.build());
    const id = 'pay_0123456789abcdef';
    const extensions = { 'payment-identifier': { info: { required: false, id } } };
    const verdict = await scene.verifier.verify({
      ...body,
      paymentPayload: { ...paymentPayload, extensions },
    });
    expect(verdict).toMatchObject({ payment: { identifier: id } });
  });

  it('is refused 15 seconds before its blockhash expires', async () => {
    const { blockhash } = scene.payments.base.head();
    expect(await outcome({ blockhash })).toBe('base');
    // Block time is measured by now: 110 of 150 blocks leave 16 seconds, 115 leave 14.
    scene.payments.pass(110 * 400);
    expect(await outcome({ blockhash })).toBe('base');
    scene.payments.pass(5 * 400);
    expect(await outcome({ blockhash })).toMatch(/simulation_failed: The blockhash is not valid on the base/);
  });

  it('lands after the fee payer has signed it', async () => {
    const payment = await verified();
    const { wire, signature } = scene.key.cosign(payment);
    const submitted = await scene.payments.base.submit(decodeTransaction(wire));
    expect(submitted).toMatchObject({ err: null, signature });
    expect(await outcome({ instructions: scene.instructions() })).toBe('base');
  });

  it('is refused after it has landed', async () => {
    const payment = await verified();
    await scene.payments.base.submit(decodeTransaction(scene.key.cosign(payment).wire));
    const verdict = await scene.verifier.verify(scene.body(payment.wire));
    expect(outcomeOf(verdict)).toMatch(/simulation_failed: .*already/);
  });

  it('has an empty place for the signature of the fee payer', async () => {
    const wire = scene.build();
    const signed = Uint8Array.from(wire).fill(7, 1, 65);
    expect(await scene.verifier.verify(scene.body(signed))).toMatchObject({ payment: { wire } });
  });
});

it('a payment may contain assertions of Lighthouse', async () => {
  const { base } = scene.payments;
  await base.setOwnAccounts([...programAccounts(LIGHTHOUSE_PROGRAM, readProgramDump(NOOP_PROGRAM))]);
  const assertion = { programId: LIGHTHOUSE_PROGRAM, accounts: [], data: Uint8Array.of(1) };
  const instructions = [...scene.instructions(), assertion, assertion, assertion];
  // A program runs from the slot after its deployment.
  scene.payments.pass(2 * base.slotMs);
  expect(await outcome({ instructions })).toBe('base');
});

it('a payment is not judged while a ledger does not answer', async () => {
  const failure = new ServiceError('UPSTREAM_TIMEOUT', 'late');
  const chain = new BusyChain(scene.payments, () => Promise.reject(failure));
  const { key, payments } = scene;
  const clusters = new Clusters([chain]);
  const verifier = createVerifier({ clusters, feePayer: key.address, clock: payments.clock, logger });
  await expect(verifier.verify(scene.body(scene.build()))).rejects.toThrow(
    expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' }),
  );
});

/** A base ledger on which something happens between every read and its simulation. */
class BusyChain extends LedgerChain {
  readonly #happens: () => Promise<unknown>;

  constructor({ base, rollup }: PaymentScene, happens: () => Promise<unknown>) {
    super('localnet', base, rollup.identity);
    this.#happens = happens;
  }

  override async simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    await this.#happens();
    return await super.simulateTransaction(wire, watch);
  }
}

it('a payment is valid while other payments of all its accounts land', async () => {
  const { payments, key } = scene;
  const { base, clock } = payments;
  const first = scene.verifier;
  let count = 0;
  const chain = new BusyChain(payments, async () => {
    const verdict = await first.verify(scene.body(scene.build()));
    if (!verdict.isValid) throw new Error(outcomeOf(verdict));
    const { err } = await base.submit(decodeTransaction(key.cosign(verdict.payment).wire));
    if (err === null) count++;
  });
  const clusters = new Clusters([chain]);
  const verifier = createVerifier({ clusters, feePayer: key.address, clock, logger });
  const verdict = await verifier.verify(scene.body(scene.build()));
  expect(outcomeOf(verdict)).toBe('base');
  expect(count).toBeGreaterThan(1);
});

describe('a payment whose effects differ from its bytes', () => {
  const expectRefused = async (finding: string): Promise<void> => {
    expect(await outcome()).toMatch(new RegExp(`^invalid_exact_svm_verification_failed: .*${finding}`));
    expect(warnings).toEqual([
      [
        { cluster: 'localnet', ledger: 'base', findings: expect.arrayContaining([finding]) },
        'the rules of x402 accept a payment that explain does not',
      ],
    ]);
  };

  it('is refused if the account of the recipient belongs to someone else', async () => {
    const { merchant, payments } = scene;
    const setAuthority = encode(
      TOKEN_TABLE.setAuthority,
      { account: ataOf(merchant.address), authority: merchant.address },
      { authorityType: 2, newAuthority: STRANGER },
    );
    await payments.land(merchant, setAuthority);
    await expectRefused('TOKEN_ACCOUNT_OF_ANOTHER');
  });

  it('is refused if the payer spends the tokens of someone else', async () => {
    const { payer, merchant, payments } = scene;
    const other = await payments.wallet();
    await payments.base.airdropTokens(other.address, payments.chain.defaultMint, PRICE);
    const approve = encode(
      TOKEN_TABLE.approve,
      { source: ataOf(other.address), delegate: payer.address, authority: other.address },
      { amount: PRICE },
    );
    await payments.land(other, approve);
    const instructions = paying({ source: ataOf(other.address) });
    expect(await outcome({ instructions })).toMatch(/verification_failed/);
    expect(JSON.stringify(warnings)).not.toMatch(`${merchant.address}|${payer.address}|${PRICE}`);
    expect(warnings).toHaveLength(1);
  });
});

describe.each(['public', 'private'] as const)('a payment between %s accounts on the rollup', (visibility) => {
  beforeEach(() => scene.deposit(visibility));

  it('is settled there for free', async () => {
    const requirement = scene.requirement({ extra: { settlement: 'private' } });
    const verdict = await judge({ blockhash: scene.rollupBlockhash }, requirement);
    expect(outcomeOf(verdict)).toBe('rollup');
    expect(verdict).toMatchObject({ payment: { amount: PRICE, lamportsMax: 0n } });
    if (!verdict.isValid) return;
    const { wire } = scene.key.cosign(verdict.payment);
    const { rollup } = scene.payments.chain;
    const signature = await rollup?.sendTransaction(wire);
    expect(await rollup?.signatureStatus(signature as string)).toMatchObject({ err: null });
  });

  it('is settled on base if it has a blockhash of base (bug: it was refused)', async () => {
    expect(await outcome()).toBe('base');
  });

  it('is refused with a blockhash of base if it must be private', async () => {
    const requirement = scene.requirement({ extra: { settlement: 'private' } });
    expect(await outcome({}, requirement)).toMatch(/The blockhash is not valid on the rollup ledger/);
  });

  it('is valid for half a minute, longer than the sysvar lists its blockhash', async () => {
    const blockhash = scene.rollupBlockhash;
    scene.payments.pass(30_000);
    expect(await outcome({ blockhash })).toBe('rollup');
    scene.payments.pass(16_000);
    expect(await outcome({ blockhash })).toMatch(/blockhash/);
  });

  it('is refused if the payer has too little there', async () => {
    const built = { blockhash: scene.rollupBlockhash, instructions: paying({ amount: 1_000_001n }) };
    expect(await outcome(built)).toMatch(/simulation_failed: .*too few tokens/);
  });
});

it('a refusal names the recipient without a token account (bug: "an account may be missing")', async () => {
  const instructions = paying({ destination: ataOf(STRANGER) });
  const requirement = scene.requirement({ payTo: STRANGER });
  expect(await outcome({ instructions }, requirement)).toContain(`payTo ${STRANGER} has no token account`);
});

it('a payment is settled on base if only one party has an account on the rollup', async () => {
  await scene.payments.do(scene.payer, 'deposit', { owner: scene.payer.address, amount: '1000' });
  expect(await outcome()).toBe('base');
  const requirement = scene.requirement({ extra: { settlement: 'private' } });
  expect(await outcome({}, requirement)).toMatch(/^invalid_transaction_state: .*private settlement/);
  expect(await outcome({ blockhash: scene.rollupBlockhash })).toMatch(/not valid on the base ledger/);
});

it('the facilitator supports both versions on the networks of its clusters', () => {
  const extra = { feePayer: scene.key.address };
  expect(scene.verifier.supported()).toEqual({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: NETWORK, extra },
      { x402Version: 1, scheme: 'exact', network: 'solana', extra },
    ],
    extensions: ['payment-identifier'],
    signers: { 'solana:*': [scene.key.address] },
  });
});
