import { z } from 'zod';
import type { AskedLogins } from '../service/mcp/logins/asked-logins.ts';
import { type ApiRoute, createPostRoute } from './api-route.ts';

/** Largest body, bytes: a challenge of 1,024 characters and what is beside it. */
const BODY_BYTES_MAX = 8 * 1024;

const asked = z.strictObject({ id: z.string().max(64) });

const answered = asked.extend({
  code: z.string().max(64),
  challenge: z.string().max(1_024),
  signature: z.string().max(128),
});

/** What a person has to know before they answer: a question, and what to do. */
const WARNING = [
  'Did you ask it yourself, just now?',
  'Whoever asked is told, not you. If somebody else gave you this address, or a code with it, refuse.',
];

/**
 * Where the page shows a login that an MCP client has asked for, answers and declines it. The body names it,
 * so that no log of addresses does.
 */
export const createLoginRoutes = (logins: AskedLogins): readonly ApiRoute[] => [
  createPostRoute('/console/api/login', BODY_BYTES_MAX, {
    input: asked,
    run: ({ id }) => ({ ...logins.show(id), warning: WARNING }),
  }),
  createPostRoute('/console/api/login/answer', BODY_BYTES_MAX, {
    input: answered,
    run: async ({ id, code, ...answer }) => {
      await logins.answer(id, code, answer);
      return {};
    },
  }),
  createPostRoute('/console/api/login/decline', BODY_BYTES_MAX, {
    input: asked,
    run: ({ id }) => {
      logins.decline(id);
      return {};
    },
  }),
];
