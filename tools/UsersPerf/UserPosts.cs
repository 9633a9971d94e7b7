using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;

namespace UsersPerf;

/// <summary>The posts of users: which users post, how often, and which fields. Immutable; any thread.</summary>
/// <param name="Rate">Posts per second of one user.</param>
/// <param name="Contributors">Users of all parts who post: those with the lowest numbers.</param>
internal sealed record UserPosts(double Rate, int Contributors)
{
    private const int Prices = 2;
    private const byte Hint = RealHint.Exponent0 - 2;

    /// <summary>The fields of a post, without its stamp: two prices, not the first field, which counts the updates of a source.</summary>
    public static FieldListTemplate Fields { get; } = CreateFields();

    /// <summary>Time between two posts of a user.</summary>
    public long GapNanos { get; } = (long)(Clock.NanosPerSecond / Rate);

    /// <summary>Creates the posts of the options; null when no user posts.</summary>
    public static UserPosts? Of(UsersPerfOptions options) =>
        options.PostRate > 0 ? new(options.PostRate, options.Contributors ?? int.MaxValue) : null;

    /// <summary>True for a user who posts.</summary>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public bool IsBy(int number) => number < Contributors;

    /// <summary>
    /// Returns the updates per second that the posts cause for the users of one part. Each post goes to all users of its item; two users share all
    /// their items or none.
    /// </summary>
    /// <param name="users">Users of all parts.</param>
    /// <param name="groups">Number of item sets: user u has set u modulo that.</param>
    /// <param name="parts">Number of parts.</param>
    /// <param name="part">Number of the part, from 1.</param>
    public double RateTo(int users, int groups, int parts, int part)
    {
        long copies = 0;
        for (int number = part - 1; number < users; number += parts)
            copies += CountOf(Math.Min(Contributors, users), groups, number % groups);
        return Rate * copies;
    }

    // Counts the users of one group among the first users.
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
