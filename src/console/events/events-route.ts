import { ServiceError } from '../../errors/service-error.ts';
import { endWithServer } from '../../http/endless.ts';
import { refuseWith, type ApiRoute } from '../api-route.ts';
import type { EventFeed } from './event-feed.ts';

const HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // Of nginx: events are passed on as they come.
  'x-accel-buffering': 'no',
} as const;

/** `GET /console/api/events`: what happens, as Server-Sent Events. */
export function createEventsRoute(feed: EventFeed): ApiRoute {
  return {
    path: '/console/api/events',
    method: 'GET',
    serve(context, response) {
      if (!feed.hasRoom) return refuseWith(context, noRoom());
      response.writeHead(200, HEAD);
      if (context.request.method === 'HEAD') return void response.end();
      endWithServer(response);
      const lastId = context.headers['last-event-id'];
      return feed.open(response, typeof lastId === 'string' ? lastId : undefined);
    },
  };
}

const noRoom = (): ServiceError =>
  new ServiceError('SERVICE_BUSY', 'There are no more streams to be had: close one, and come back');
