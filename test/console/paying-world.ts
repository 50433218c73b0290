import {
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import { createPrivatePayments, type PrivatePayments } from '../../src/client/index.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { signText } from '../client/sign-text.ts';

/** Texts that only payer and payee may see in responses or on the page. */
interface Secrets {
  readonly signature: string;
  readonly memo: string;
  /** Base units and decimals of the payment and of what both have afterwards. */
  readonly amounts: readonly string[];
}

/** A stack with one private payment that was made without the page. */
export interface PayingWorld {
  readonly app: RunningApp;
  readonly payer: KeyPairSigner;
  readonly payee: KeyPairSigner;
  readonly client: PrivatePayments;
  readonly secrets: Secrets;
  /** Signature of the payer's deposit, on base. */
  readonly deposit: string;
  /** The payer's token. */
  readonly token: string;
  /** Signs and sends a built transaction. @returns its signature. */
  submit(built: Built, signer: KeyPairSigner): Promise<string>;
  close(): Promise<void>;
}

interface Built {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
}

/** Unique amounts: deposits of 3.5 and 1.000001, a payment of 1.730519. */
const DEPOSITED = 3_500_000n;
const DEPOSITED_BY_PAYEE = 1_000_001n;
const PAID = 1_730_519n;

/**
 * Starts a stack, makes two deposits and pays.
 *
 * @param programs folder of layout B; layout A if absent.
 * @param settings additional environment variables.
 */
export async function createPayingWorld(
  memo: string,
  programs?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PayingWorld> {
  const app = await runApp(programs, settings);
  const client = createPrivatePayments({ url: app.serviceUrl });
  const [payer, payee] = [await app.wallet(), await app.wallet()];
  const submit = (built: Built, signer: KeyPairSigner): Promise<string> => send(client, built, signer);
  const deposit = await submit(
    await client.deposit({ owner: payer.address, amount: DEPOSITED, private: true }),
    payer,
  );
  await submit(
    await client.deposit({ owner: payee.address, amount: DEPOSITED_BY_PAYEE, private: true }),
    payee,
  );
  const signature = await submit(
    await client.transfer({
      from: payer.address,
      to: payee.address,
      mint: USDC_MINT,
      amount: PAID,
      fromBalance: 'ephemeral',
      toBalance: 'ephemeral',
      visibility: 'private',
      memo,
    }),
    payer,
  );
  const left = [PAID, DEPOSITED - PAID, DEPOSITED_BY_PAYEE + PAID];
  return {
    app,
    payer,
    payee,
    client,
    deposit,
    submit,
    token: await logIn(client, payer),
    secrets: { signature, memo, amounts: left.flatMap((base) => [String(base), decimalOf(base)]) },
    close: () => app.close(),
  };
}

const decimalOf = (base: bigint): string =>
  `${base / 1_000_000n}.${String(base % 1_000_000n).padStart(6, '0')}`;

async function send(client: PrivatePayments, built: Built, signer: KeyPairSigner): Promise<string> {
  const unsigned = getTransactionDecoder().decode(Buffer.from(built.transactionBase64, 'base64'));
  const signed = await signTransaction([signer.keyPair], unsigned as never);
  const { signature } = await client.sendTransaction({
    transactionBase64: getBase64EncodedWireTransaction(signed),
    sendTo: built.sendTo,
    confirm: true,
  });
  return signature;
}

/** Logs a wallet in, as its owner does. */
export async function logIn(client: PrivatePayments, wallet: KeyPairSigner): Promise<string> {
  const { challenge } = await client.challenge({ pubkey: wallet.address });
  const signature = await signText(wallet, challenge);
  return (await client.login({ pubkey: wallet.address, challenge, signature })).token;
}
