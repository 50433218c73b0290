import { createHash } from 'node:crypto';
import { quoted } from '../../../errors/quoted-text.ts';
import { isJsonObject, type JsonObject } from '../../input/json-object.ts';
import { META, ProtocolFault, RPC_ERROR } from '../protocol.ts';
import { readCall } from '../tool-methods.ts';
import { failedResult, type McpCaller } from '../tool.ts';
import type { AskedLogins, LoginAnswer, LoginWish } from './asked-logins.ts';

/** Which wallet a tool's answer is for, and what is told. */
type Wish = Pick<LoginWish, 'wallet' | 'cluster' | 'tells'>;

/** Tools whose answer a rollup gives to one wallet alone, which the arguments name. */
const WISHES: Readonly<Record<string, (args: JsonObject) => Omit<Wish, 'cluster'>>> = {
  'spl.getPrivateBalance': ({ address, mint }) => ({
    wallet: String(address),
    tells: `how many tokens of the mint ${String(mint)} this wallet has on the rollup now`,
  }),
  'spl.createStealthPool': ({ authority, handle }) => ({
    wallet: String(authority),
    tells: `two unsigned transactions, which set whom the stealth handle ${quoted(String(handle))} pays`,
  }),
};

/**
 * Whose login a tool needs; undefined where none helps.
 *
 * @param args as the tool has checked them.
 */
function wishOf(tool: string, args: JsonObject): Wish | undefined {
  const wish = WISHES[tool]?.(args);
  const { cluster } = args;
  return wish && { ...wish, cluster: typeof cluster === 'string' ? cluster : undefined };
}

/** The key of the one thing that is asked for (MCP 2026-07-28, multi round-trip requests, inputRequests). */
const LOGIN = 'login';

/** How much of the name that a client gives itself is shown, characters. */
const CLIENT_NAME_MAX = 80;

/** Trades a signature of a wallet for a token. Throws what `spl.login` does. */
export type LogIn = (
  login: LoginAnswer & { readonly pubkey: string; readonly cluster?: string },
) => Promise<string>;

/** Runs `tools/call` with what the caller is, and writes the result. */
type Call = (params: JsonObject, caller: McpCaller) => Promise<string>;

/** What `tools/call` asks a client for, and takes from it. */
interface LoginRoundsOptions {
  readonly logins: AskedLogins;
  readonly logIn: LogIn;
  /** The members that every result begins with. */
  readonly frame: { readonly resultType: string };
}

/**
 * `tools/call` that sends the user of the client to a page to log in, where a tool needs a login that the
 * call has none of (MCP 2026-07-28, elicitation in URL mode within multi round-trip requests). Clients that
 * do not say that they can are answered as ever, and nothing is kept of them.
 */
export const withLogins =
  (call: Call, options: LoginRoundsOptions): Call =>
  async (params, caller) => {
    if (caller.token !== undefined || !canOpenUrls(params)) return call(params, caller);
    const { requestState } = params;
    if (requestState === undefined) return call(params, askingCaller(params, caller, options));
    return await callAgain(call, { params, caller, state: requestState, ...options });
  };

interface Again extends LoginRoundsOptions {
  readonly params: JsonObject;
  readonly caller: McpCaller;
  readonly state: unknown;
}

/** The call once more, with the state that its first answer had. */
async function callAgain(call: Call, { params, caller, state, logins, frame }: Again): Promise<string> {
  if (typeof state !== 'string') throw unknownState(caller);
  readCall(params);
  if (isDeclined(params)) {
    logins.drop(state);
    return JSON.stringify({ ...frame, ...DECLINED });
  }
  const collected = await logins.collect(state, digestOf(params), caller.gone);
  switch (collected.kind) {
    case 'token':
      return call(params, callerWith(caller, { token: collected.token }));
    case 'open':
      return JSON.stringify({ ...frame, resultType: 'input_required', requestState: state });
    case 'declined':
      return JSON.stringify({ ...frame, ...DECLINED });
    case 'unknown':
      throw unknownState(caller);
  }
}

/** The caller of a first call: where a login is missing, one is asked for in place of the refusal. */
function askingCaller(
  params: JsonObject,
  caller: McpCaller,
  { logins, logIn, frame }: LoginRoundsOptions,
): McpCaller {
  return callerWith(caller, {
    token: undefined,
    askLogin(tool, args) {
      const wish = wishOf(tool, args);
      if (wish === undefined) return undefined;
      const { wallet: pubkey, cluster } = wish;
      const asked = logins.ask({
        ...wish,
        client: clientOf(params),
        call: digestOf(params),
        login: (answer) => logIn({ ...answer, pubkey, ...(cluster !== undefined && { cluster }) }),
      });
      if (asked === null) return undefined;
      const { secret: requestState, code } = asked;
      const elicitation = { mode: 'url', message: messageOf(pubkey, code), url: logins.pageOf(asked) };
      const inputRequests = { [LOGIN]: { method: 'elicitation/create', params: elicitation } };
      return JSON.stringify({ ...frame, resultType: 'input_required', inputRequests, requestState });
    },
  });
}

const messageOf = (wallet: string, code: string): string =>
  `This is told to the wallet ${wallet} alone. Open the page, log in there with that wallet, and type the code ${code}. The login is for this one answer, and the token stays with the service. If you did not ask for this, do not open it.`;

/**
 * The caller with another token. How a call with the token of a login ends is noted nowhere: that the call
 * was private does not show in its headers.
 */
const callerWith = (
  caller: McpCaller,
  { token, askLogin }: Pick<McpCaller, 'token' | 'askLogin'>,
): McpCaller => ({
  token,
  get headers() {
    return caller.headers;
  },
  get client() {
    return caller.client;
  },
  get requestId() {
    return caller.requestId;
  },
  get gone() {
    return caller.gone;
  },
  nameCall: (...call) => caller.nameCall?.(...call),
  ...(askLogin && { askLogin, noteCode: (code) => caller.noteCode?.(code) }),
});

/** Whether the client says that it sends its user to a URL when asked (MCP 2026-07-28, elicitation). */
function canOpenUrls(params: JsonObject): boolean {
  const capabilities = metaOf(params)[META.clientCapabilities];
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isJsonObject(elicitation) && isJsonObject(elicitation['url']);
}

function clientOf(params: JsonObject): string | null {
  const info = metaOf(params)[META.clientInfo];
  const { title, name } = isJsonObject(info) ? info : {};
  const shown = [title, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof shown === 'string' ? shown.slice(0, CLIENT_NAME_MAX) : null;
}

const metaOf = ({ _meta: meta }: JsonObject): JsonObject => (isJsonObject(meta) ? meta : {});

/** Whether the user did not want to log in, or closed the question. */
function isDeclined({ inputResponses }: JsonObject): boolean {
  const answer = isJsonObject(inputResponses) ? inputResponses[LOGIN] : undefined;
  return isJsonObject(answer) && (answer['action'] === 'decline' || answer['action'] === 'cancel');
}

/** What a call asks for: the same again is the same call. */
function digestOf(params: JsonObject): string {
  const { name, args } = readCall(params);
  const members = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([name, members]))
    .digest('base64url');
}

const DECLINED = failedResult([
  'Nobody logged in: it was declined, so nothing was read. Ask again only if the user wants you to (MISSING_AUTH_TOKEN)',
]);

/** It is the login that is refused: what it was for is private, and so is that somebody asked. */
function unknownState(caller: McpCaller): ProtocolFault {
  caller.nameCall?.('spl.login', {}, 'mcp');
  return new ProtocolFault(
    RPC_ERROR.invalidParams,
    'Invalid params: requestState is of no login that is open for this call: it was used, has expired, gave way to later ones, or never was. Call the tool again without it',
  );
}
