import { type Static, Type } from '@sinclair/typebox'

const Closed = { additionalProperties: false } as const
const Expression = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, description }))

/** How to wait for a job that the service has only accepted. Expressions see the answer. */
export const PollSource = Type.Object(
  {
    pending: Expression('True while the job goes on. Default: the status is 202.'),
    url: Expression('The URL of its status. Default: the headers location or operation-location.'),
    interval_ms: Type.Optional(
      Type.Integer({
        minimum: 10,
        default: 1000,
        description: 'The time between two looks, if the answer has no Retry-After.',
      }),
    ),
    failed: Expression('A sentence if the finished job failed, else null.'),
    result_url: Expression('The URL of the result, if it is not the last answer itself.'),
    continue: Type.Optional(
      Type.Object(
        {
          capability: Type.String({ description: 'The read that shows the job later.' }),
          input: Type.String({ minLength: 1, description: 'Expression for its input.' }),
        },
        Closed,
      ),
    ),
  },
  { ...Closed, description: 'Waits for an accepted job until it is done.' },
)
export type PollSource = Static<typeof PollSource>
