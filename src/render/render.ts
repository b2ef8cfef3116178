import type { Catalog } from '../cards/catalog.ts'
import type { Hints } from '../hints/registry.ts'
import { valueAt } from '../lib/value-path.ts'
import type { Answer, Envelope } from '../model/envelope.ts'
import type { ProfileName } from '../model/profile-name.ts'
import type { Subject } from '../model/subject.ts'
import { NO_SUBJECT } from '../model/subject.ts'
import { type Budget, estimateTokens, toBudget } from './budget/budget.ts'
import type { Drop } from './budget/drop.ts'
import { fitBudget } from './budget/fit.ts'
import { type View, wholeView } from './budget/view.ts'
import { PROFILES } from './profiles/index.ts'
import type { Context, Page, Profile } from './profiles/profile.ts'
import { suggestCalls } from './suggestions.ts'
import { summarize } from './summary.ts'

/** How a caller wants to be told. */
export interface Presentation {
  readonly profile: ProfileName
  /** As asked for; null when the call names none. */
  readonly tokenBudget: number | null
  /** Which client asks, by its own account. */
  readonly host: string | null
}

/** How one is told who says nothing of it. */
export const PLAIN: Presentation = {
  profile: 'default',
  tokenBudget: null,
  host: null,
}

export interface Rendered {
  readonly body: string
  readonly contentType: string
  readonly status: number
  /** What the body says: another than the answer's when that did not fit. */
  readonly envelope: Envelope
  readonly dropped: readonly Drop[]
}

/** What suggestions and hints are looked up in. */
export interface Knowledge {
  readonly catalog: Pick<Catalog, 'get'>
  readonly hints: Pick<Hints, 'get'>
}

/** Tells an answer in the chosen dialect: members selected, the budget held. Changes nothing of it. */
export function renderAnswer(
  knowledge: Knowledge,
  answer: Answer,
  presentation: Presentation,
): Rendered {
  const profile: Profile = PROFILES[presentation.profile]
  const subject = answer.subject ?? NO_SUBJECT
  // A failure has no data to choose from.
  const selection = answer.envelope.ok ? subject.selection : 'all'
  const asked = presentation.tokenBudget ?? profile.defaultBudget
  const budget = asked === null ? null : toBudget(asked)
  const write = (view: View) =>
    writeView(profile, view, contextOf(knowledge, { view, subject, budget, presentation }))
  const view = budget
    ? fitBudget({ answer, subject, selection, budget, write })
    : wholeView(answer, selection)
  const { envelope, status, dropped } = view
  const type = envelope.ok ? undefined : profile.failureType
  return {
    body: write(view),
    contentType: `${type ?? 'application/json'}; charset=utf-8`,
    status,
    envelope,
    dropped,
  }
}

/** A dialect that tells its own size is written until the number in it is right. */
function writeView(profile: Profile, { envelope }: View, context: Context): string {
  const write = (tokens: number) => JSON.stringify(profile.render(envelope, { ...context, tokens }))
  if (!profile.tellsTokens) return write(0)
  // A longer number never makes a shorter text, so this rises to the first number that is right.
  for (let tokens = 1; ; ) {
    const text = write(tokens)
    const estimate = estimateTokens(text)
    if (estimate === tokens) return text
    tokens = estimate
  }
}

interface Telling {
  readonly view: View
  readonly subject: Subject
  readonly budget: Budget | null
  readonly presentation: Presentation
}

function contextOf({ catalog, hints }: Knowledge, telling: Telling): Context {
  const { view, subject, budget, presentation } = telling
  const { envelope, status, shown, dropped, truncated, bare } = view
  return {
    subject,
    status,
    host: presentation.host,
    budget,
    truncated,
    dropped,
    bare,
    tokens: 0,
    page: pageOf(view, subject),
    suggestions: () => (envelope.ok ? suggestCalls(catalog, subject, shown) : []),
    summary: () => summarize(envelope, subject, shown),
    hint: id => hints.get(id),
  }
}

/** Where a list goes on, after all that is told of it. */
function pageOf({ shown, dropped }: View, { card }: Subject): Page | null {
  if (!card || shown === null) return null
  const info = card.page && (valueAt(shown, 'pageInfo') as PageInfo | undefined)
  if (info) {
    const cursor = info.endCursor === null ? {} : { cursor: info.endCursor }
    return { hasMore: info.hasNextPage, ...cursor }
  }
  const items = card.list && valueAt(shown, card.list.path)
  if (!Array.isArray(items)) return null
  const left = dropped.find(({ path }) => path === card.list?.path)?.count ?? 0
  return { hasMore: left > 0, total: items.length + left }
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}
