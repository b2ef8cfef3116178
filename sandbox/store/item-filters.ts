import type { Account, IssueOrPull } from './entities.ts'

/** Filters that lists of issues have in REST and in GraphQL. Logins and labels match in any case. */
export type ItemFilter = (item: IssueOrPull, wanted: string) => boolean

/** `*` stands for any assignee. */
export const isAssignedTo: ItemFilter = ({ assignees }, wanted) =>
  wanted === '*' ? assignees.length > 0 : assignees.some(user => hasLogin(user, wanted))

/** `*` stands for any milestone, otherwise a number names it. */
export const isInMilestone: ItemFilter = ({ milestone }, wanted) =>
  wanted === '*' ? milestone !== null : String(milestone?.number) === wanted

export const isOpenedBy: ItemFilter = ({ author }, wanted) => hasLogin(author, wanted)

export const mentions: ItemFilter = ({ body }, wanted) =>
  [...(body ?? '').matchAll(/(?<![\w/])@([\w-]+)/g)].some(
    ([, login]) => login?.toLowerCase() === wanted.toLowerCase(),
  )

export const isLabelled: ItemFilter = ({ labels }, wanted) =>
  labels.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())

/** `*` stands for any type. */
export const isOfType: ItemFilter = (item, wanted) => {
  const type = item.kind === 'Issue' ? item.type : null
  return type !== null && (wanted === '*' || type.name.toLowerCase() === wanted.toLowerCase())
}

export const isUpdatedSince: ItemFilter = ({ updatedAt }, wanted) =>
  Date.parse(updatedAt) >= Date.parse(wanted)

export function hasLogin({ login }: Account, wanted: string): boolean {
  return login.toLowerCase() === wanted.toLowerCase()
}
