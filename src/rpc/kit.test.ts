import {
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  devnet,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  signature as asSignature,
  type Blockhash,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import type { Address as OurAddress } from '../solana/address.ts';
import { startTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
let rpc: ReturnType<typeof connect>;
let payer: KeyPairSigner;
const RECEIVER = address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR');

const connect = (url: string) => createSolanaRpc(devnet(url));

beforeAll(async () => {
  node = await startTestNode();
  rpc = connect(node.url);
  payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(42));
  await rpc.requestAirdrop(payer.address, lamports(5_000_000_000n)).send();
  await node.ask('requestTokenAirdrop', payer.address, USDC_MINT, 7_000_000);
});

afterAll(() => node.close());

/** A signed transaction of version 0 that moves lamports from the payer. */
async function transfer(amount: bigint) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const ours = transferLamports(
    payer.address as string as OurAddress,
    RECEIVER as string as OurAddress,
    amount,
  );
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (alive) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address(ours.programId),
          accounts: [
            { address: payer.address, role: 3 },
            { address: RECEIVER, role: 1 },
          ],
          data: ours.data,
        },
        alive,
      ),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  return {
    signature: getSignatureFromTransaction(transaction),
    base64: getBase64EncodedWireTransaction(transaction),
  };
}

describe('@solana/kit', () => {
  it('reads the head and the description of the node', async () => {
    const slot = await rpc.getSlot({ commitment: 'confirmed' }).send();
    expect(slot).toBeTypeOf('bigint');
    expect(await rpc.getBlockHeight().send()).toBe(slot);
    const { context, value } = await rpc.getLatestBlockhash().send();
    expect(context.slot).toBe(slot + 1n);
    expect(value.lastValidBlockHeight).toBe(context.slot + 150n);
    expect((await rpc.isBlockhashValid(value.blockhash).send()).value).toBe(true);
    expect((await rpc.isBlockhashValid(RECEIVER as string as Blockhash).send()).value).toBe(false);
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(await rpc.getVersion().send()).toMatchObject({ 'feature-set': 7, 'solana-core': '4.2.1' });
    expect(await rpc.getGenesisHash().send()).toBe(node.ledger.genesisHash);
    expect(await rpc.getIdentity().send()).toEqual({ identity: node.ledger.identity });
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
  });

  it('reads accounts in every encoding', async () => {
    const ata = address(deriveAta(payer.address as string as OurAddress, USDC_MINT, TOKEN_PROGRAM).address);
    const data = Buffer.from(node.ledger.getAccount(ata as string as OurAddress)?.data ?? []);
    const base64 = await rpc.getAccountInfo(ata, { encoding: 'base64' }).send();
    expect(base64.value).toEqual({
      data: [data.toString('base64'), 'base64'],
      executable: false,
      lamports: 2_039_280n,
      owner: TOKEN_PROGRAM,
      rentEpoch: 18446744073709551615n,
      space: 165n,
    });
    const sliced = await rpc
      .getAccountInfo(ata, { encoding: 'base58', dataSlice: { offset: 32, length: 32 } })
      .send();
    expect(sliced.value?.data).toEqual([payer.address, 'base58']);
    const zstd = await rpc.getAccountInfo(ata, { encoding: 'base64+zstd' }).send();
    expect(zstd.value?.data[1]).toBe('base64+zstd');
    const parsed = await rpc.getAccountInfo(ata, { encoding: 'jsonParsed' }).send();
    expect(parsed.value?.data).toMatchObject({
      parsed: { type: 'account', info: { mint: USDC_MINT, tokenAmount: { amount: '7000000', uiAmount: 7 } } },
    });
    expect((await rpc.getAccountInfo(RECEIVER, { encoding: 'base64' }).send()).value).toBeNull();
    expect((await rpc.getBalance(payer.address).send()).value).toBe(5_000_000_000n);
    expect((await rpc.getTokenAccountBalance(ata).send()).value).toEqual({
      amount: '7000000',
      decimals: 6,
      uiAmount: 7,
      uiAmountString: '7',
    });
    const largest = await rpc.getTokenLargestAccounts(address(USDC_MINT)).send();
    expect(largest.value).toEqual([
      { address: ata, amount: '7000000', decimals: 6, uiAmount: 7, uiAmountString: '7' },
    ]);
  });

  it('simulates, sends, and reads back a transaction of version 0', async () => {
    const { signature, base64 } = await transfer(1_000_000n);
    const simulation = await rpc
      .simulateTransaction(base64, { encoding: 'base64', sigVerify: true, innerInstructions: true })
      .send();
    expect(simulation.value).toMatchObject({ err: null, unitsConsumed: 150n, innerInstructions: [] });

    expect(await rpc.sendTransaction(base64, { encoding: 'base64' }).send()).toBe(signature);
    const { value: statuses } = await rpc.getSignatureStatuses([signature]).send();
    expect(statuses).toMatchObject([{ confirmationStatus: 'finalized', confirmations: null, err: null }]);
    expect((await rpc.getBalance(RECEIVER).send()).value).toBe(1_000_000n);

    const json = await rpc
      .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send();
    expect(json).toMatchObject({
      version: 0,
      meta: { err: null, fee: 5000n },
      transaction: { signatures: [signature] },
    });
    const parsed = await rpc
      .getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    expect(parsed?.transaction.message.instructions).toMatchObject([
      { program: 'system', parsed: { type: 'transfer', info: { lamports: 1_000_000n } } },
    ]);
    const bytes = await rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send();
    expect(bytes?.transaction).toEqual([base64, 'base64']);
    const unknown = asSignature('1'.repeat(64));
    expect(
      await rpc.getTransaction(unknown, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send(),
    ).toBeNull();
  });

  describe('understands the error', () => {
    const caught = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => undefined,
        (error: unknown) => error,
      );

    it('of a failed preflight, with its cause', async () => {
      const { base64 } = await transfer(10_000_000_000n);
      const error = await caught(rpc.sendTransaction(base64, { encoding: 'base64' }).send());
      const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
      if (!isSolanaError(error, code)) throw error;
      expect(isSolanaError(error.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
      expect(error.context).toMatchObject({ fee: 5000n, unitsConsumed: 150n });
      expect(error.context.logs).toContain(
        'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
      );
    });

    it('of a slot in the future', async () => {
      const error = await caught(rpc.getSlot({ minContextSlot: 99_999_999n }).send());
      const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED;
      if (!isSolanaError(error, code)) throw error;
      expect(error.context.contextSlot).toBe(await rpc.getSlot({ commitment: 'processed' }).send());
    });

    it('of a version it does not support', async () => {
      const { signature, base64 } = await transfer(2_000_000n);
      await rpc.sendTransaction(base64, { encoding: 'base64' }).send();
      const error = await caught(rpc.getTransaction(signature, { encoding: 'json' }).send());
      const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION;
      expect(isSolanaError(error, code)).toBe(true);
    });

    it('of parameters', async () => {
      const error = await caught(rpc.getTokenLargestAccounts(RECEIVER).send());
      expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)).toBe(true);
    });
  });
});
