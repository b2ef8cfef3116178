import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import { associationOf } from '../store/association.ts'
import type {
  Discussion,
  DiscussionCategory,
  DiscussionComment,
} from '../store/discussion-entities.ts'
import type { Repository } from '../store/entities.ts'
import { sortedBy } from '../store/order.ts'
import { pageUrl, paths } from '../urls.ts'
import { authoredFields } from './authored.ts'
import { connection } from './connection.ts'
import { notFound } from './errors.ts'
import type { Context, Fields, Info } from './fields.ts'

const { fullDatabaseId: _, ...commonFields } = authoredFields

export const discussionCategoryFields: Fields<DiscussionCategory, G.DiscussionCategory> = {
  id: category => category.nodeId,
  name: category => category.name,
  slug: category => category.slug,
  description: category => category.description,
  emoji: category => category.emoji,
  isAnswerable: category => category.isAnswerable,
  repository: category => category.repository,
  createdAt: category => category.createdAt,
  updatedAt: category => category.updatedAt,
}

export const discussionFields: Fields<Discussion, G.Discussion> = {
  ...commonFields,
  authorAssociation: ({ author, repository }) => associationOf(author, repository),
  number: discussion => discussion.number,
  title: discussion => discussion.title,
  category: discussion => discussion.category,
  repository: discussion => discussion.repository,
  url: discussion => pageUrl(paths.discussion(discussion)),
  resourcePath: paths.discussion,
  publishedAt: discussion => discussion.createdAt,
  answer: discussion => discussion.answer,
  answerChosenAt: discussion => discussion.answeredAt,
  answerChosenBy: discussion => discussion.answeredBy,
  isAnswered: ({ category, answer }) => (category.isAnswerable ? answer !== null : null),
  closed: discussion => discussion.closedAt !== null,
  closedAt: discussion => discussion.closedAt,
  locked: () => false,
  upvoteCount: () => 1,
  comments: ({ comments }, args: G.DiscussionCommentsArgs, _context, info) =>
    connection(comments, args, info),
}

export const discussionCommentFields: Fields<DiscussionComment, G.DiscussionComment> = {
  ...commonFields,
  authorAssociation: ({ author, repository }) => associationOf(author, repository),
  discussion: comment => comment.discussion,
  url: comment => pageUrl(paths.discussionComment(comment)),
  resourcePath: paths.discussionComment,
  publishedAt: comment => comment.createdAt,
  isAnswer: comment => comment.discussion.answer === comment,
  replyTo: comment => comment.replyTo,
  upvoteCount: () => 1,
  replies: ({ replies }, args: G.DiscussionCommentRepliesArgs, _context, info) =>
    connection(replies, args, info),
}

/** The fields of a repository that concern its discussions. */
export const discussedFields: Fields<Repository, G.Repository> = {
  hasDiscussionsEnabled: repository => repository.hasDiscussions,
  discussion: findDiscussion,
  discussions: listDiscussions,
  discussionCategories: (
    repository,
    args: G.RepositoryDiscussionCategoriesArgs,
    { store },
    info: Info,
  ) => connection(store.discussions.categories(repository), args, info),
  discussionCategory: (repository, { slug }: G.RepositoryDiscussionCategoryArgs, { store }) =>
    store.discussions.categories(repository).find(category => category.slug === slug) ?? null,
}

function findDiscussion(
  repository: Repository,
  { number }: G.RepositoryDiscussionArgs,
  { store }: Context,
): Discussion {
  const found = store.discussions.of(repository).find(discussion => discussion.number === number)
  if (found) return found
  throw notFound(`a Discussion with the number of ${number}`)
}

function listDiscussions(
  repository: Repository,
  args: G.RepositoryDiscussionsArgs,
  { store }: Context,
  info: Info,
) {
  const { answered, categoryId, orderBy, states } = args
  const found = store.discussions
    .of(repository)
    .filter(it => !isGiven(answered) || (it.answer !== null) === answered)
    .filter(it => !isGiven(categoryId) || it.category.nodeId === categoryId)
    .filter(it => !states?.length || states.includes(it.closedAt === null ? 'OPEN' : 'CLOSED'))
  const field = orderBy?.field === 'CREATED_AT' ? 'createdAt' : 'updatedAt'
  const direction = orderBy?.direction === 'ASC' ? 'asc' : 'desc'
  const sorted = sortedBy(
    found,
    it => it[field],
    direction,
    it => it.databaseId,
  )
  return connection(sorted, args, info)
}
