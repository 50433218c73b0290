import type { JsonObject } from '../input/json-object.ts';
import { REST_GROUPS, type PlacedOperation } from '../rest/rest-table.ts';
import { SERVER_DESCRIPTION, SERVER_INFO, SERVER_TITLE } from '../server-info.ts';
import { ENDPOINT_PATHS } from './endpoint-paths.ts';
import { createErrorComponents } from './error-responses.ts';
import { createOperationPaths } from './operation-paths.ts';
import { createSchemaComponents } from './schema-components.ts';

/** What callers of any operation need to know, in paragraphs. */
export const SERVICE_DESCRIPTION = [
  SERVER_DESCRIPTION,
  'A built transaction is unsigned and has not been sent: sign it with every key in `requiredSigners` and send it to the network that `sendTo` names, before `lastValidBlockHeight`.',
  "Amounts are in the mint's base units (1 USDC = 1000000): integers up to 2^53-1, or decimal strings up to 2^64-1. Addresses are base58. No request ever needs a secret key.",
].join('\n\n');

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat: within 24 hours the same key with the same body is answered as the first time (Idempotent-Replayed: true), with another body 422, and 409 while the first is being served. Answers of status 5xx are not kept; a restart forgets all. A transaction that is answered again may have expired: a new one needs a new key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'What to call the request in answers and in the log; by default one is made.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
} as const;

/**
 * Describes the service as an OpenAPI 3.1 document, from its operations and their places.
 *
 * @param publicOrigin the origin callers use; defaults to the one the document was read from.
 */
export function createOpenApiDocument(
  placed: readonly PlacedOperation[],
  publicOrigin: string | undefined,
): JsonObject {
  const groups = REST_GROUPS.filter((group) => placed.some(({ place }) => place.group === group));
  return {
    openapi: '3.1.0',
    info: { title: SERVER_TITLE, version: SERVER_INFO.version, description: SERVICE_DESCRIPTION },
    servers: [{ url: publicOrigin?.replace(/\/+$/, '') ?? '/' }],
    security: [],
    tags: [...groups, 'MCP', 'Service'].map((name) => ({ name })),
    paths: { ...createOperationPaths(placed), ...ENDPOINT_PATHS },
    components: {
      schemas: createSchemaComponents(placed),
      responses: createErrorComponents(),
      parameters: PARAMETERS,
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            "The caller's own token for the private rollup, from /v1/spl/challenge and /v1/spl/login. It is passed on and never kept.",
        },
      },
    },
  };
}
