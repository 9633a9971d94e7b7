using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;

namespace UsersPerf;

/// <summary>What all users have in common. Immutable; any thread.</summary>
internal sealed class UserPlan(UsersPerfOptions options, ItemList items, IReadOnlyList<ConnectOptions> connects)
{
    private readonly string _position = LoginPosition.FindLocal();
    private readonly string _name = options.UserName ?? Environment.UserName;

    public UsersPerfOptions Options => options;

    /// <summary>Where the hub is, and the address from which a user connects: they take those of <c>-if</c> in turn.</summary>
    /// <param name="number">His number over all parts, from 0.</param>
    public ConnectOptions ConnectOf(int number) => connects[number / options.Run.Part.Count % connects.Count];

    /// <summary>Threads among which the users of this part are dealt out.</summary>
    public int Threads { get; } = options.Run.Threads.Count;

    /// <summary>From one log-in of a thread to its next, in nanoseconds.</summary>
    public long LoginGapNanos { get; } =
        Clock.NanosPerSecond * options.Run.Part.Count * options.Run.Threads.Count / options.LoginRate;

    public bool HasNanoStamps { get; } = options.Session.NanoTime;

    /// <summary>How a user comes back who was lost; null for one who does not.</summary>
    public RecoveryOptions? Recovery { get; } = options.Reconnects ? new() : null;

    /// <summary>What a user asks for.</summary>
    /// <param name="number">His number over all parts, from 0.</param>
    public ConsumerSessionOptions CreateSession(int number) => new()
    {
        Identity = new LoginIdentity
        {
            UserName = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{_name}{number + 1}"),
            ApplicationName = "UsersPerf",
            Position = _position,
        },
        ServiceName = options.ServiceName,
        Items = items,
        Stride = ItemStride.Of(options.Subjects, options.Subscriptions, options.HasSamePattern ? 0 : number),
        RequestRate = options.Subscriptions * options.Run.TickRate, // all of them in the first tick
        Dictionary = FieldDictionary.Default, // none is asked for: a user reads heads and stamps
        IsOneOfMany = true,
        AsksTogether = !options.AsksOneByOne,
    };
}
