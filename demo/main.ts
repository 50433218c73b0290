import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  address,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  signTransaction,
  type Base64EncodedWireTransaction,
} from '@solana/kit';
import { ensureStack } from './stack.ts';
import { checkEqual, note, step } from './story.ts';

/**
 * A deposit from a new wallet to the vault, as a stranger would do it: the official MCP client, @solana/kit, and
 * nothing of this project but its two addresses. Ends with exit code 0 only if every figure is exact.
 */

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const AIRDROP_LAMPORTS = 1_000_000_000n;
const AIRDROP_USDC = 10_000_000n;
const DEPOSIT_USDC = 1_500_000n;

interface Deposit {
  readonly transactionBase64: Base64EncodedWireTransaction;
  readonly requiredSigners: readonly string[];
  readonly instructionCount: number;
  readonly lastValidBlockHeight: number;
  readonly validator: string;
}

const stack = await ensureStack();
try {
  await run(stack.serviceUrl, stack.ledgerUrl);
} finally {
  await stack.stop();
}

async function run(serviceUrl: string, ledgerUrl: string): Promise<void> {
  const rpc = createSolanaRpc(ledgerUrl);

  step('A new wallet, with SOL and USDC from the faucet');
  const wallet = await generateKeyPairSigner();
  const airdrop = await rpc.requestAirdrop(wallet.address, AIRDROP_LAMPORTS as never).send();
  const tokenAirdrop = await requestTokenAirdrop(ledgerUrl, wallet.address, AIRDROP_USDC);
  note('wallet', wallet.address);
  note('SOL airdrop', airdrop);
  note('USDC airdrop', tokenAirdrop);

  step('The official MCP client connects and lists the tools');
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', serviceUrl)));
  note('server', `${client.getServerVersion()?.name} ${client.getServerVersion()?.version}`);
  const { tools } = await client.listTools();
  note('tools', tools.map(({ name }) => name).join(', '));
  const balanceOf = async (): Promise<bigint> => {
    const { structuredContent } = await client.callTool({
      name: 'spl.getBalance',
      arguments: { address: wallet.address, mint: USDC },
    });
    return BigInt((structuredContent as { balance: string }).balance);
  };
  checkEqual('USDC before', await balanceOf(), AIRDROP_USDC);

  step('spl.deposit builds the unsigned transaction');
  const answer = await client.callTool({
    name: 'spl.deposit',
    arguments: { owner: wallet.address, amount: Number(DEPOSIT_USDC) },
  });
  const sentences = (answer.content as { text: string }[]).map(({ text }) => text);
  if (answer.isError === true) throw new Error(sentences.join(' '));
  const deposit = answer.structuredContent as unknown as Deposit;
  note('answer', sentences.join(' '));
  note('instructions', deposit.instructionCount);
  note('delegated to', deposit.validator);
  checkEqual('must sign', deposit.requiredSigners.join(), wallet.address);

  step('The ledger node simulates it, unsigned as it is');
  const { value: simulated } = await rpc
    .simulateTransaction(deposit.transactionBase64, { encoding: 'base64', replaceRecentBlockhash: true })
    .send();
  checkEqual('error', simulated.err, null);
  note('compute units', simulated.unitsConsumed);

  step('The wallet signs and sends it');
  const unsigned = getTransactionDecoder().decode(Buffer.from(deposit.transactionBase64, 'base64'));
  const signed = await signTransaction([wallet.keyPair], unsigned as never);
  const signature = getSignatureFromTransaction(signed);
  const sent = await rpc
    .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' })
    .send();
  checkEqual('signature', sent, signature);

  step('It can be read back');
  const landed = await rpc
    .getTransaction(signature, {
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    })
    .send();
  checkEqual('error', landed?.meta?.err, null);
  note('slot', landed?.slot);
  note('fee in lamports', landed?.meta?.fee);

  step('Every balance is exact');
  checkEqual('USDC of the wallet', await balanceOf(), AIRDROP_USDC - DEPOSIT_USDC);
  const vault = vaultIn(landed as Landed | null, wallet.address);
  note('vault', vault.address);
  checkEqual('USDC the deposit added to the vault', vault.after - vault.before, DEPOSIT_USDC);
  const { value: held } = await rpc.getTokenAccountBalance(address(vault.address)).send();
  checkEqual('USDC of the vault', BigInt(held.amount), vault.after);
  const { value: largest } = await rpc.getTokenLargestAccounts(USDC).send();
  const rank = largest.findIndex((account) => account.address === vault.address);
  note('the vault among the largest accounts', rank < 0 ? 'not among the first 20' : `number ${rank + 1}`);
  await client.close();
}

interface Landed {
  readonly meta: {
    readonly preTokenBalances?: readonly TokenBalance[];
    readonly postTokenBalances?: readonly TokenBalance[];
  } | null;
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
}

interface TokenBalance {
  readonly accountIndex: number;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The one token account in the transaction that is not the wallet's: what it held before and after. */
function vaultIn(landed: Landed | null, wallet: string): { address: string; before: bigint; after: bigint } {
  const after = landed?.meta?.postTokenBalances?.find(({ owner }) => owner !== wallet);
  if (landed === null || after === undefined) throw new Error('the transaction moved no tokens to a vault');
  const before = landed.meta?.preTokenBalances?.find(
    ({ accountIndex }) => accountIndex === after.accountIndex,
  );
  return {
    address: landed.transaction.message.accountKeys[after.accountIndex] as string,
    before: BigInt(before?.uiTokenAmount.amount ?? 0),
    after: BigInt(after.uiTokenAmount.amount),
  };
}

/** The ledger node's own faucet method, which no client library knows. */
async function requestTokenAirdrop(ledgerUrl: string, owner: string, amount: bigint): Promise<string> {
  const response = await fetch(ledgerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'requestTokenAirdrop',
      params: [owner, USDC, amount.toString()],
    }),
  });
  const { result, error } = (await response.json()) as { result?: string; error?: { message: string } };
  if (result === undefined) throw new Error(`requestTokenAirdrop: ${error?.message}`);
  return result;
}
