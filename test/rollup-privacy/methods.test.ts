import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair, signTransaction } from '../../src/ledger/keypair.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, setComputeUnitLimit } from '../../src/programs/compute-budget.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { transferChecked, transferTokens } from '../../src/programs/token/instructions.ts';
import { ALICE_AMOUNT } from '../../src/rollup/privacy/testing/private-rollup.ts';
import { ROLLUP_METHODS } from '../../src/rpc/methods/rollup/rollup-methods.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { canariesIn, canariesOf } from './canaries.ts';
import { type MethodCase, methodCases } from './method-cases.ts';
import { EVERYBODY, type PrivateNode, startPrivateNode, type Who } from './private-node.ts';
import { onBothLayouts } from './private-scene.ts';

/*
 * Goal: no answer of the rollup shows a stranger Alice's private data, with or without the stranger's own token.
 * Method: every method is called in all encodings, and the answers are searched as text. The same calls by the
 * owner must return the data, so that a call that requests nothing is noticed.
 */

const PAID = 24_242_424n;

onBothLayouts((layout) => {
  let node: PrivateNode;
  let canaries: ReadonlyMap<string, string>;
  let cases: ReadonlyMap<string, readonly MethodCase[]>;

  beforeAll(async () => {
    node = await startPrivateNode(layout);
    const hidden = await node.pay(node.alice, node.bob, PAID);
    await node.pay(node.sam, node.bob, 3n);
    await node.passSlots(2);
    canaries = canariesOf(node, [hidden]);
    cases = methodCases(node, hidden);
  });
  afterAll(() => node.close());

  it('has a case for every served method, and no others', () => {
    expect([...cases.keys()].sort()).toEqual(ROLLUP_METHODS.map(({ name }) => name).sort());
  });

  describe.each(ROLLUP_METHODS.map(({ name }) => name))('%s', (method) => {
    it('shows strangers nothing private, and shows owners their own data', async () => {
      for (const { shows, params } of cases.get(method) ?? []) {
        for (const who of EVERYBODY) {
          const answer = await node.call(who, method, params);
          const found = canariesIn(answer, canaries);
          if (shows === 'wallet') expect(found, `${who}: ${answer}`).toEqual(['the wallet']);
          else if (who !== 'alice' || shows === 'plain') expect(found, `${who}: ${answer}`).toEqual([]);
          else expect(found, `${who}: ${answer}`).not.toEqual([]);
        }
      }
    });
  });

  describe('indirect information in answers', () => {
    const asText = async (method: string, ...params: readonly unknown[]) => ({
      nobody: await node.call('nobody', method, params),
      sam: await node.call('sam', method, params),
      alice: await node.call('alice', method, params),
    });

    it('a caller with the signature of a hidden transaction sees only its slot and outcome', async () => {
      const hidden = [...canaries.keys()].find((each) => /^transaction \w+$/.test(each))?.slice(12) ?? '';
      const { slot } = node.rollup.getTransaction(hidden) ?? {};
      const statuses = await asText('getSignatureStatuses', [hidden]);
      for (const answer of Object.values(statuses)) {
        expect(JSON.parse(answer).result.value).toEqual([
          { confirmationStatus: 'finalized', confirmations: null, err: null, slot, status: { Ok: null } },
        ]);
      }
      const { nobody, sam } = await asText('getTransaction', hidden);
      for (const answer of [nobody, sam]) expect(answer).toContain('"result":null');
    });

    it('only the owner sees the lamports of private accounts, individually and in total', async () => {
      const balance = await asText('getBalance', node.alice.ata);
      for (const answer of [balance.nobody, balance.sam]) expect(answer).toContain('"value":0');
      expect(balance.alice).toContain('"value":2039280');
      const supply = await asText('getSupply');
      expect(supply.nobody).toBe(supply.sam);
      expect(supply.alice).not.toBe(supply.nobody);
    });

    it('trial payments do not reveal whether tokens cover a payment', async () => {
      const { rollup, alice, sam } = node;
      const present = ALICE_AMOUNT - PAID;
      const answers = new Set<string>();
      const landed = (): number => rollup.signaturesFor({ address: sam.ata, limit: 10 }).length;
      const before = landed();
      for (const amount of [0n, 1n, present - 1n, present, present + 1n, 2n ** 64n - 1n]) {
        const accounts = { source: alice.ata, destination: sam.ata, authority: sam.address };
        const transfer = transferTokens(TOKEN_PROGRAM, accounts, amount);
        const text = Buffer.from(buildTransaction(rollup, [sam.wallet], [transfer]).wire).toString('base64');
        const tries = [
          ['simulateTransaction', { encoding: 'base64' }],
          ['simulateTransaction', { encoding: 'base64', sigVerify: true }],
          ['simulateTransaction', { encoding: 'base64', replaceRecentBlockhash: true }],
          ['sendTransaction', { encoding: 'base64' }],
        ] as const;
        for (const who of ['nobody', 'sam'] as const) {
          for (const [method, config] of tries) answers.add(await node.call(who, method, [text, config]));
          await node.call(who, 'sendTransaction', [text, { encoding: 'base64', skipPreflight: true }]);
        }
      }
      // One for the three simulations but for the blockhash that was put in place, and one for the sending.
      expect(answers.size).toBe(3);
      for (const answer of answers) expect(answer).toContain('AccountNotFound');
      expect(landed()).toBe(before);
    });

    it('a payment that its sponsor has not signed yet runs for its holder, and shows only public accounts', async () => {
      const { rollup, mint, alice, bob } = node;
      const sponsor = new Keypair(new Uint8Array(32).fill(61));
      const accounts = { source: alice.ata, mint, destination: bob.ata, authority: alice.address };
      // The instructions of a stock x402 client.
      const instructions = [
        setComputeUnitLimit(20_000),
        encode(COMPUTE_BUDGET_TABLE.setComputeUnitPrice, {}, { microLamports: 1n }),
        transferChecked(TOKEN_PROGRAM, accounts, PAID, 6),
        addMemo('0123456789abcdef'),
      ];
      const blockhash = decodeBase58(rollup.head().blockhash);
      const legacy = compileLegacyMessage({ feePayer: sponsor.address, blockhash, instructions });
      const bytes = Buffer.concat([Buffer.of(0x80), legacy.bytes, Buffer.of(0)]);
      const signed = signTransaction({ ...legacy, bytes }, [alice.wallet]).wire;
      const ask = async (who: Who, wire: Uint8Array, config = {}): Promise<string> => {
        const shown = { addresses: [alice.ata, alice.eata, bob.ata], encoding: 'base64' };
        const whole = { encoding: 'base64', innerInstructions: true, accounts: shown, ...config };
        return node.call(who, 'simulateTransaction', [Buffer.from(wire).toString('base64'), whole]);
      };
      const changed = (change: (wire: Uint8Array) => unknown): Uint8Array => {
        const wire = Uint8Array.from(signed);
        change(wire);
        return wire;
      };
      // The slots of the sponsor and of Alice follow the count.
      const refused = [
        changed((wire) => wire.fill(0, 65, 129)),
        changed((wire) => wire.copyWithin(1, 65, 129).fill(0, 65, 129)),
        changed((wire) => (wire[65] = (wire[65] as number) ^ 1)),
        changed((wire) => (wire[128] = (wire[128] as number) ^ 1)),
        changed((wire) => (wire[wire.length - 2] = (wire[wire.length - 2] as number) ^ 1)),
      ];
      for (const who of ['nobody', 'sam'] as const) {
        const answer = await ask(who, signed);
        expect(canariesIn(answer, canaries)).toEqual([]);
        const { value } = JSON.parse(answer).result;
        expect(value).toMatchObject({ err: null, accounts: [null, null, { lamports: 2_039_280 }] });
        expect(value.postTokenBalances.map(({ owner }: { owner: string }) => owner)).toEqual([bob.address]);
        for (const config of [{}, { replaceRecentBlockhash: true }]) {
          const answers = await Promise.all(refused.map((wire) => ask(who, wire, config)));
          expect(new Set(answers).size).toBe(1);
          expect(answers[0]).toContain('"err":"AccountNotFound"');
        }
        expect(await ask(who, signed, { sigVerify: true })).toContain('"err":"SignatureFailure"');
      }
    });

    it('logs contain nothing private and no token', () => {
      const log = node.logged.join('\n');
      expect(canariesIn(log, canaries)).toEqual([]);
      for (const token of Object.values(node.tokens)) expect(log).not.toContain(token);
    });
  });
});
