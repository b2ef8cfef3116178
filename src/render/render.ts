import type { Catalog } from '../cards/catalog.ts'
import type { Hints, Language } from '../hints/registry.ts'
import { jsonOf } from '../lib/json-text.ts'
import { valueAt } from '../lib/value-path.ts'
import type { Card } from '../model/card.ts'
import { type Door, HTTP_DOOR, restrictDoor } from '../model/door.ts'
import type { Answer, Envelope } from '../model/envelope.ts'
import type { ProfileName } from '../model/profile-name.ts'
import type { Subject } from '../model/subject.ts'
import { NO_SUBJECT } from '../model/subject.ts'
import { envelopeAtDoor, suggestionsAtDoor, useAtDoor } from './at-door.ts'
import { type Budget, estimateTokens, toBudget } from './budget/budget.ts'
import type { Drop } from './budget/drop.ts'
import { fitBudget } from './budget/fit.ts'
import { type View, wholeView } from './budget/view.ts'
import { type Notes, notesOf, unsaidNotes } from './notes.ts'
import { leastBudgetOf, PROFILES } from './profiles/index.ts'
import type { Context, Page, Profile } from './profiles/profile.ts'
import { suggestCalls } from './suggestions.ts'
import { summarize } from './summary.ts'
import { fenceFor, withTrueMarks } from './untrusted.ts'

/** How a caller wants the answer. */
export interface Presentation {
  readonly profile: ProfileName
  /** As the caller sent it, before it is clamped; null when the call has none. */
  readonly tokenBudget: number | null
  /** The client's name for itself. */
  readonly host: string | null
  /** The language of hints in the answer. @default English */
  readonly language?: Language
  /** How the caller came, and can call again. @default HTTP */
  readonly door?: Door
  /** The capabilities that the caller may call. @default all */
  readonly mayCall?: (card: Card) => boolean
}

/** For calls that choose nothing. */
export const PLAIN: Presentation = {
  profile: 'default',
  tokenBudget: null,
  host: null,
}

/** For clients of MCP that choose nothing: a model reads the answer. */
export const BRIEF: Presentation = { ...PLAIN, profile: 'brief' }

export interface Rendered {
  readonly body: string
  /** The same in parts that follow each other. Joining the parts of a long body copies it. */
  readonly parts: readonly string[]
  readonly contentType: string
  readonly status: number
  /** The content of the body. Differs from the answer's envelope if that did not fit the budget. */
  readonly envelope: Envelope
  readonly dropped: readonly Drop[]
  /** The budget that the smallest form of the answer takes, when that did not fit. */
  readonly needed: number | null
  /** The answer before anything was cut: the given one, or the failure in its place. */
  readonly told: Answer
  /** Facts that the caller has to know beside data. */
  readonly notes: Notes
  /** Notes for which the body has no place. */
  readonly unsaid: Notes
}

/** Looks up the targets of suggestions, and hints. */
export interface Knowledge {
  readonly catalog: Pick<Catalog, 'get'>
  readonly hints: Pick<Hints, 'get'>
}

/** Writes an answer in the chosen dialect, with the selected members, within the budget. Does not change the answer. */
export function renderAnswer(
  knowledge: Knowledge,
  answer: Answer,
  presentation: Presentation,
): Rendered {
  const profile: Profile = PROFILES[presentation.profile]
  const subject = answer.subject ?? { ...NO_SUBJECT, time: Date.now() }
  const door = doorOf(knowledge, presentation)
  // A failure has no data to choose from.
  const selection = answer.envelope.ok ? subject.selection : 'all'
  const asked = budgetIn(presentation)
  const budget = asked === null ? null : toBudget(asked, leastBudgetOf(presentation.profile))
  const number = fenceFor(answer, profile, door)
  const writeParts = (given: View) => {
    const view = withTrueMarks(given, answer)
    const fence = view.envelope.meta.untrusted === undefined ? null : number
    return writeView(
      profile,
      envelopeAtDoor(view.envelope, door),
      contextOf(knowledge, { view, answer, subject, budget, presentation, door, fence }),
    )
  }
  const view = budget
    ? fitBudget({ answer, subject, selection, budget, write: view => join(writeParts(view)) })
    : wholeView(answer, selection)
  const { envelope, status, dropped } = withTrueMarks(view, answer)
  const parts = writeParts(view)
  const notes = notesOf({ answer, envelope, dropped })
  return {
    body: join(parts),
    parts,
    contentType: contentTypeOf(envelope, profile, presentation.profile),
    status,
    envelope,
    dropped,
    needed: view.needed ?? null,
    told: view.instead ?? answer,
    notes,
    unsaid: unsaidNotes(profile, notes, envelope),
  }
}

/** Unlike `join` of arrays, `+` copies nothing before the text is read. */
function join(parts: readonly string[]): string {
  return parts.reduce((text, part) => text + part, '')
}

/** The tokens that an answer may take; null for no limit. */
export function budgetIn({ tokenBudget, profile }: Presentation): number | null {
  return tokenBudget ?? PROFILES[profile].defaultBudget
}

/** The presentation with a budget of at most so many tokens. */
export function limited(presentation: Presentation, tokens: number): Presentation {
  const own = budgetIn(presentation)
  return { ...presentation, tokenBudget: own === null ? tokens : Math.min(own, tokens) }
}

/** The media type says the dialect (RFC 6906), as a caller asks for it in Accept. */
function contentTypeOf({ ok }: Envelope, { failureType }: Profile, name: ProfileName): string {
  return ok || failureType === undefined
    ? `application/json; charset=utf-8; profile="${name}"`
    : `${failureType}; charset=utf-8`
}

/** Answers advise only calls that the caller can and may make. */
function doorOf({ catalog }: Knowledge, { door = HTTP_DOOR, mayCall }: Presentation): Door {
  return mayCall ? restrictDoor(door, catalog, mayCall) : door
}

/** A dialect that includes its own size is written again until the size is right. */
function writeView(profile: Profile, envelope: Envelope, context: Context): readonly string[] {
  const write = (tokens: number) => JSON.stringify(profile.render(envelope, { ...context, tokens }))
  if (profile.write) return profile.write(envelope, context)
  if (!profile.includesTokens) return [write(0)]
  // A larger number never makes a shorter text, so the loop rises to the first number that is right.
  for (let tokens = 1; ; ) {
    const text = write(tokens)
    const estimate = estimateTokens(text)
    if (estimate === tokens) return [text]
    tokens = estimate
  }
}

interface Rendering {
  readonly view: View
  readonly answer: Answer
  readonly subject: Subject
  readonly budget: Budget | null
  readonly presentation: Presentation
  readonly door: Door
  readonly fence: number | null
}

function contextOf({ catalog, hints }: Knowledge, rendering: Rendering): Context {
  const { view, answer, subject, budget, presentation, door, fence } = rendering
  const { envelope, status, shown, dropped, truncated, bare } = view
  const suggestions = () =>
    envelope.ok ? suggestionsAtDoor(suggestCalls(catalog, subject, shown), door) : []
  return {
    subject,
    status,
    host: presentation.host,
    budget,
    truncated,
    dropped,
    bare,
    tokens: 0,
    fence,
    page: pageOf(view, subject),
    suggestions,
    suggestedUses: () => suggestions().map(call => useAtDoor(call, door)),
    summary: () => summarize(envelope, subject, shown),
    hint: id => hints.get(id, presentation.language),
    wholeError: wholeErrorOf(answer, envelope),
    metaText: () => jsonOf(envelope.meta, answer.metaJson),
    dataText: () => jsonOf(envelope.data, answer.dataJson),
  }
}

/** A success that does not fit has an error of its own. */
function wholeErrorOf({ envelope: { error: whole } }: Answer, { error }: Envelope) {
  return whole?.code === error?.code ? whole : error
}

/** How the list continues after the items of the answer. */
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
