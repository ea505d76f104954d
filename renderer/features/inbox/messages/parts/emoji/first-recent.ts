/** Offered behind those that one has used. */
export const FIRST_RECENT = ["👍", "❤️", "😂", "😮", "😢", "🙏", "👎", "🎉"] as const;
