import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPrivatePayments } from '../../src/client/index.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { folderOfFile } from '../folders.ts';
import { signText } from '../client/sign-text.ts';
import { logIn } from '../console/paying-world.ts';
import { startConsole } from './running-console.ts';

interface Question {
  readonly url: string;
  readonly message: string;
}

/** Answers a question as the person would. Returns the answer of the client. */
type Person = (question: Question) => Promise<'accept' | 'decline'>;

let serviceUrl: string;
let approver: KeyPairSigner;

beforeEach(async () => {
  approver = await generateKeyPairSigner();
  const file = join(await folderOfFile(), 'policy.json');
  const mints = { [USDC_MINT]: { askAbove: '1000', payment: '5000' }, SOL: {} };
  writeFileSync(file, JSON.stringify({ mints, accept: ['RECIPIENT_NEW'], approver: approver.address }));
  serviceUrl = (await startConsole({ LOCALNET_WALLETS: '1', SPENDING_POLICY: file })).serviceUrl;
});

/** Connects the official client, whose user can open pages unless `person` is null. */
async function connect(person: Person | null, token?: string) {
  const client = new Client(
    { name: 'official', version: '1' },
    {
      capabilities: person === null ? {} : { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  if (person !== null) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await person(params as never as Question),
    }));
  }
  const requestInit = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: object) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...args } });
    return { isError, text: JSON.stringify(content), output: structuredContent as Record<string, string> };
  };
  const newWallet = async (): Promise<string> => {
    const wallet = (await call('localnet.createWallet', {})).output['wallet'] ?? '';
    await call('localnet.fund', { wallet, lamports: 1_000_000_000, amount: 5_000_000 });
    return wallet;
  };
  const [from, to] = [await newWallet(), await newWallet()];
  return async (amount: number) => {
    const args = { from, to, mint: USDC_MINT, amount, visibility: 'public' };
    const places = { fromBalance: 'base', toBalance: 'base' };
    const { transactionBase64, sendTo } = (await call('spl.transfer', { ...args, ...places })).output;
    return await call('localnet.signAndSend', { transactionBase64, sendTo });
  };
}

/** Answers on the page with the login of a wallet. Returns the status. */
async function answer({ url, message }: Question, wallet: KeyPairSigner): Promise<number> {
  const id = new URL(url).searchParams.get('ask');
  const code = /code ([A-Z2-9-]{7})\./.exec(message)?.[1];
  const { challenge } = await createPrivatePayments({ url: serviceUrl }).challenge({
    pubkey: approver.address,
  });
  const response = await fetch(`${serviceUrl}/console/api/login/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, code, challenge, signature: await signText(wallet, challenge) }),
  });
  return response.status;
}

describe('a payment above askAbove', () => {
  it('is signed once the approver has logged in on the page, which shows the payment', async () => {
    const shown: string[] = [];
    const pay = await connect(async (question) => {
      const response = await fetch(`${serviceUrl}/console/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: new URL(question.url).searchParams.get('ask') }),
      });
      shown.push(question.message, await response.text());
      expect(await answer(question, approver)).toBe(200);
      return 'accept';
    });
    expect(await pay(1_000)).toMatchObject({ output: { outcome: 'confirmed' } });
    expect(shown).toEqual([]);
    expect(await pay(1_001)).toMatchObject({ output: { outcome: 'confirmed' } });
    expect(shown[0]).toContain(`Only the wallet ${approver.address} may approve this.`);
    expect(shown[1]).toContain(`your approval of a payment of 1001 base units of ${USDC_MINT}`);
    // The approval was for one payment, and none lifts a cap.
    shown.length = 0;
    await pay(1_002);
    expect(shown).toHaveLength(2);
    expect(await pay(5_001)).toMatchObject({ isError: true, text: expect.stringContaining('.payment') });
    expect(shown).toHaveLength(2);
  });

  it.each<[string, Person]>([
    ['declines', async () => 'decline'],
    [
      'logs in with another wallet',
      async (question) => {
        expect(await answer(question, await generateKeyPairSigner())).toBeGreaterThanOrEqual(400);
        return 'decline';
      },
    ],
  ])('is not signed if the person %s', async (_, person) => {
    const pay = await connect(person);
    expect(await pay(1_001)).toMatchObject({ isError: true });
  });

  it('is refused if the client cannot open pages, also with a token of the approver', async () => {
    const refused = { isError: true, text: expect.stringContaining('POLICY_REFUSED') };
    expect(await (await connect(null))(1_001)).toMatchObject(refused);
    const token = await logIn(createPrivatePayments({ url: serviceUrl }), approver);
    expect(await (await connect(null, token))(1_001)).toMatchObject(refused);
    expect(await (await connect(async () => 'accept', token))(1_001)).toMatchObject(refused);
  });
});
