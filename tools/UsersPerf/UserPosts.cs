using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;

namespace UsersPerf;

/// <summary>What users post: who of them, how often, with which fields. Immutable; any thread.</summary>
/// <param name="Rate">Posts a second of one user.</param>
/// <param name="Contributors">Users of all parts who post, the first ones.</param>
internal sealed record UserPosts(double Rate, int Contributors)
{
    private const int Prices = 2;
    private const byte Hint = RealHint.Exponent0 - 2;

    /// <summary>The fields of a post, without its stamp: two prices, not the first field, which counts the updates of a source.</summary>
    public static FieldListTemplate Fields { get; } = CreateFields();

    /// <summary>From one post of a user to his next.</summary>
    public long GapNanos { get; } = (long)(Clock.NanosPerSecond / Rate);

    /// <summary>Those of the options; null when nobody posts.</summary>
    public static UserPosts? Of(UsersPerfOptions options) =>
        options.PostRate > 0 ? new(options.PostRate, options.Contributors ?? int.MaxValue) : null;

    /// <summary>True for a user who posts.</summary>
    /// <param name="number">His number over all parts, from 0.</param>
    public bool IsBy(int number) => number < Contributors;

    /// <summary>
    /// Updates a second that the posts bring the users of one part: each goes to all who have its item, and users have all items in common
    /// or none.
    /// </summary>
    /// <param name="users">Users of all parts.</param>
    /// <param name="groups">How many sets of items there are: user u has set u modulo that.</param>
    /// <param name="parts">Parts.</param>
    /// <param name="part">Which of them, from 1.</param>
    public double RateTo(int users, int groups, int parts, int part)
    {
        long copies = 0;
        for (int number = part - 1; number < users; number += parts)
            copies += CountOf(Math.Min(Contributors, users), groups, number % groups);
        return Rate * copies;
    }

    // Of the first users those of one group.
    private static int CountOf(int users, int groups, int group) => (users / groups) + (group < users % groups ? 1 : 0);

    private static FieldListTemplate CreateFields()
    {
        FieldListBuilder fields = new(FieldDictionary.Default);
        foreach (TemplateField price in MessageData.Default(FieldDictionary.Default).Refresh.Fields
            .Where(field => field.Type == DataType.Real).Skip(1).Take(Prices))
        {
            fields.Add(price.FieldId, new RwfReal(0x8000, Hint));
        }

        return fields.Build();
    }
}
