import { createHash } from 'node:crypto';
import { quoted } from '../../../errors/quoted-text.ts';
import { isJsonObject, type JsonObject } from '../../input/json-object.ts';
import { META, ProtocolFault, RPC_ERROR } from '../protocol.ts';
import { failedResult, type McpCaller, readCall } from '../tools.ts';
import type { LoginRequest, RequestedLogins } from './requested-logins.ts';

/** The wallet that may see a tool's result, and a description of the result. */
type Purpose = Pick<LoginRequest, 'wallet' | 'cluster' | 'tells'>;

/** Tools whose result a rollup returns only to the wallet named in the arguments. */
const PURPOSES: Readonly<Record<string, (args: JsonObject) => Omit<Purpose, 'cluster'>>> = {
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
 * Returns the login that a tool needs; undefined if a login would not help.
 *
 * @param args checked arguments of the tool.
 */
function purposeOf(tool: string, args: JsonObject): Purpose | undefined {
  const purpose = PURPOSES[tool]?.(args);
  const { cluster } = args;
  return purpose && { ...purpose, cluster: typeof cluster === 'string' ? cluster : undefined };
}

/** Key of the one input request (MCP 2026-07-28, multi round-trip requests, inputRequests). */
const LOGIN = 'login';

/** Maximum length of the shown client name, in characters. */
const CLIENT_NAME_MAX = 80;

type Call = (params: JsonObject, caller: McpCaller) => Promise<string>;

/** Options of {@link withLogins}. */
interface LoginRoundsOptions {
  readonly logins: RequestedLogins;
  /** Members at the start of every result. */
  readonly frame: { readonly resultType: string };
}

/**
 * Extends `tools/call` with logins. If a tool needs a login and the call has no token, the client sends its
 * user to a login page (MCP 2026-07-28, elicitation in URL mode within multi round-trip requests). Nothing
 * changes for clients without this capability.
 */
export const withLogins =
  (call: Call, options: LoginRoundsOptions): Call =>
  async (params, caller) => {
    if (caller.token !== undefined || !canOpenUrls(params)) return call(params, caller);
    const { requestState } = params;
    if (requestState === undefined) return call(params, requestingCaller(params, caller, options));
    return await callAgain(call, { params, caller, state: requestState, ...options });
  };

interface Again extends LoginRoundsOptions {
  readonly params: JsonObject;
  readonly caller: McpCaller;
  readonly state: unknown;
}

/** Repeats the call with the state of its first response. */
async function callAgain(call: Call, { params, caller, state, logins, frame }: Again): Promise<string> {
  if (typeof state !== 'string') throw unknownState(caller);
  readCall(params);
  if (isDeclined(params)) {
    await logins.drop(state);
    return JSON.stringify({ ...frame, ...DECLINED });
  }
  const collected = await logins.collect(state, digestOf(params), caller.gone);
  switch (collected.kind) {
    case 'token':
      return call(params, callerWith(caller, { token: collected.token, loggedIn: collected.wallet }));
    case 'open':
      return JSON.stringify({ ...frame, resultType: 'input_required', requestState: state });
    case 'declined':
      return JSON.stringify({ ...frame, ...DECLINED });
    case 'unknown':
      throw unknownState(caller);
  }
}

/** Returns a caller that requests a missing login instead of refusing the call. */
function requestingCaller(
  params: JsonObject,
  caller: McpCaller,
  { logins, frame }: LoginRoundsOptions,
): McpCaller {
  return callerWith(caller, {
    token: undefined,
    async requestLogin(tool, args, approval) {
      const purpose = approval ?? purposeOf(tool, args);
      const requested =
        purpose && (await logins.request({ ...purpose, client: clientOf(params), call: digestOf(params) }));
      if (!requested) return undefined;
      const { secret: requestState, code } = requested;
      const elicitation = {
        mode: 'url',
        message: messageOf(purpose.wallet, code, approval === undefined ? 'read this' : 'approve this'),
        url: logins.pageOf(requested),
      };
      const inputRequests = { [LOGIN]: { method: 'elicitation/create', params: elicitation } };
      return JSON.stringify({ ...frame, resultType: 'input_required', inputRequests, requestState });
    },
  });
}

const messageOf = (wallet: string, code: string, deed: string): string =>
  `Only the wallet ${wallet} may ${deed}. Open the page, log in with that wallet, and type the code ${code}. The login is for this one answer, and the token stays with the service. If you did not request this, do not open the page.`;

/**
 * Returns the caller with a different token. Does not report the outcome of the call, because its headers
 * do not mark it as private.
 */
const callerWith = (
  caller: McpCaller,
  { token, loggedIn, requestLogin }: Pick<McpCaller, 'token' | 'loggedIn' | 'requestLogin'>,
): McpCaller => ({
  token,
  loggedIn,
  get headers() {
    return caller.headers;
  },
  get client() {
    return caller.client;
  },
  get seen() {
    return caller.seen;
  },
  get requestId() {
    return caller.requestId;
  },
  get gone() {
    return caller.gone;
  },
  refusalFor: (tool) => caller.refusalFor(tool),
  nameCall: (...call) => caller.nameCall?.(...call),
  ...(requestLogin && { requestLogin, noteCode: (code) => caller.noteCode?.(code) }),
});

/** Whether the client can send its user to a URL (MCP 2026-07-28, elicitation). */
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

/** Whether the user declined to log in, or closed the dialog. */
function isDeclined({ inputResponses }: JsonObject): boolean {
  const answer = isJsonObject(inputResponses) ? inputResponses[LOGIN] : undefined;
  return isJsonObject(answer) && (answer['action'] === 'decline' || answer['action'] === 'cancel');
}

/** Computes a digest of the tool and its arguments. Equal calls have equal digests. */
function digestOf(params: JsonObject): string {
  const { name, args } = readCall(params);
  const members = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([name, members]))
    .digest('base64url');
}

const DECLINED = failedResult([
  'The login was declined, so nothing was read or signed. Try again only if the user wants you to (MISSING_AUTH_TOKEN)',
]);

/** Creates the fault for an unknown state. It is reported as a refused login, because the tool is private. */
function unknownState(caller: McpCaller): ProtocolFault {
  caller.nameCall?.('spl.login', {}, 'mcp');
  return new ProtocolFault(
    RPC_ERROR.invalidParams,
    'Invalid params: requestState does not belong to an open login of this call: it was used, has expired, or was replaced by later ones. Call the tool again without it',
  );
}
