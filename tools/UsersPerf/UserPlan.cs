using System.Globalization;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>The plan that all users share. Immutable; any thread.</summary>
internal sealed class UserPlan(UsersPerfOptions options, ItemList items, IReadOnlyList<ConnectOptions> connects)
{
    private readonly LoginIdentity _identity = LoginIdentity.OfThisProcess() with { ApplicationName = "UsersPerf" };
    private readonly uint _address = options.PostRate > 0 ? PostUser.OfThisProcess().Address : PostUser.Loopback;
    private readonly string _name = options.UserName ?? Environment.UserName;

    public UsersPerfOptions Options => options;

    /// <summary>Addresses from which users connect, in turn.</summary>
    public int Addresses => connects.Count;

    /// <summary>Returns the hub's address and the local one from which a user connects: users take those of <c>-if</c> in turn.</summary>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public ConnectOptions ConnectOf(int number) => connects[number / options.Run.Part.Count % connects.Count];

    /// <summary>Threads over which the users of this part are distributed.</summary>
    public int Threads { get; } = options.Run.ThreadCount;

    /// <summary>Time between two log-ins of a thread, in nanoseconds.</summary>
    public long LoginGapNanos { get; } =
        Clock.NanosPerSecond * options.Run.Part.Count * options.Run.ThreadCount / options.LoginRate;

    public LatencyUnit StampUnit { get; } = options.Session.StampUnit();

    /// <summary>The posts of users; null when none posts.</summary>
    public UserPosts? Posts { get; } = UserPosts.Of(options);

    /// <summary>Creates a user's retry options, with waits that differ from user to user: users refused together must not retry together.</summary>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public static RecoveryOptions RecoveryOf(int number)
    {
        const double LeastSeconds = 0.4, SpreadSeconds = 0.2, GoldenRatio = 0.618_033_988_749_895;
        double share = number * GoldenRatio % 1;
        return new() { FirstRetry = TimeSpan.FromSeconds(LeastSeconds + (SpreadSeconds * share)), MaxRetry = TimeSpan.FromSeconds(8), Watchlist = false };
    }

    /// <summary>Creates the session options of a user: its login and its items.</summary>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public ConsumerSessionOptions CreateSession(int number) => new()
    {
        Identity = _identity with { UserName = string.Create(CultureInfo.InvariantCulture, $"{_name}{number + 1}") },
        Poster = new PostUser(_address, (uint)number + 1),
        ServiceName = options.ServiceName,
        Items = items,
        Stride = ItemStride.Of(options.Subjects, options.Subscriptions, options.HasSamePattern ? 0 : number),
        RequestRate = options.Subscriptions * options.Run.TickRate, // all requests in the first tick
        Dictionary = FieldDictionary.Default, // none is requested: a user reads headers and stamps
        IsOneOfMany = true,
        AsksTogether = !options.AsksOneByOne,
        View = options.View,
    };
}
