using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>
/// A consumer with two servers, one active and one standby, both connected and with all items open (warm standby): when the active one is
/// lost, it switches to the other.
/// </summary>
/// <remarks>
/// The handler is notified of the active server's messages. For the handler, a switch looks like a reconnect: items become suspect, then
/// <see cref="ConsumerHandler.OnReady"/> and their refreshes follow, on another session. Belongs to the worker's thread unless stated
/// otherwise.
/// </remarks>
public sealed class StandbyConsumer // wire/domains 5.11
{
    private const int Nobody = -1;

    private readonly ConsumerHandler _handler;
    private readonly StandbyMode _mode;
    private readonly StandbySide[] _sides;
    private readonly StandbySwitches _switches;
    private readonly string[] _names;
    private volatile int _active; // initially the starting server
    private bool _hasStarted; // one of them has been ready
    private string _why = "";

    /// <param name="worker">The worker of its thread; before its first turn.</param>
    /// <param name="options">The requests to each server.</param>
    /// <param name="handler">Handles the events.</param>
    /// <param name="servers">Addresses of the servers: first the one that starts as active, then the other.</param>
    /// <param name="mode">Condition of a switch.</param>
    /// <param name="recovery">Pace of the attempts to reconnect; a server that reconnects becomes the standby.</param>
    internal StandbyConsumer(Worker worker, ConsumerSessionOptions options, ConsumerHandler handler,
        (ConnectOptions Starting, ConnectOptions Other) servers, StandbyMode mode, RecoveryOptions recovery)
    {
        (_handler, _mode) = (handler, mode);
        _switches = new StandbySwitches(worker.Recording.Counters, worker.Recording.Notices, worker.Time);
        _names = [NameOf(servers.Starting), NameOf(servers.Other)];
        _sides = [new StandbySide(this, 0, handler), new StandbySide(this, 1, handler)];
        ConsumerSessionOptions asked = options with { Standby = mode };
        Sides =
        [
            new RecoveringConsumer(worker, asked, _sides[0], servers.Starting, recovery),
            new RecoveringConsumer(worker, asked, _sides[1], servers.Other, recovery),
        ];
    }

    /// <summary>Both connections. Any thread.</summary>
    public IReadOnlyList<RecoveringConsumer> Sides { get; }

    /// <summary>The connection of the active server, or of the one that was active last. Any thread.</summary>
    public RecoveringConsumer Active => Sides[Math.Max(_active, 0)];

    /// <summary>The reason why it cannot continue; null while one of the servers can be used. Any thread.</summary>
    public ConsumerFailure? Failure
    {
        get
        {
            ConsumerFailure? one = Sides[0].Failure, other = Sides[1].Failure;
            if (one is not null && other is not null)
                return Active.Failure;
            return IsOfTheRun(one) ? one : IsOfTheRun(other) ? other : null;
        }
    }

    internal StandbySwitches Switches => _switches;

    internal bool IsActive(int side) => side == _active;

    // With none active, the next one that is ready becomes active.
    internal bool IsStandby(int side) => _active != Nobody && side != _active;

    internal void OnLoggedIn(int side)
    {
        ConsumerSession session = Sides[side].Session;
        if (IsStandby(side) && !session.SupportsStandby)
            session.Fail(ConsumerFailureKind.StandbyNotSupported, $"{_names[side]} does not stand by for another server, as its login refresh says");
    }

    internal void OnReady(int side)
    {
        if (_active == Nobody)
            Activate(side);
        else if (side == _active)
            Start();
    }

    internal void OnConnectFailed(int side) => Lose(side, "it cannot be reached");

    internal void OnClosed(int side) => Lose(side, "its connection was lost");

    internal void OnServiceChange(int side, bool isUp)
    {
        if (_mode != StandbyMode.Service)
            return;
        if (!isUp)
            Lose(side, "its service went down");
        else if (_active == Nobody && IsReady(side))
            Activate(side);
    }

    private static string NameOf(ConnectOptions server) => $"{server.Host}:{server.Port}";

    // If one server refuses us, the other can still be used.
    private static bool IsOfTheRun(ConsumerFailure? failure) =>
        failure is { Kind: ConsumerFailureKind.ItemClosed or ConsumerFailureKind.PostsNotAccepted };

    private bool IsReady(int side) =>
        Sides[side].Session is { Stage: ConsumerStage.Items, IsOpen: true } session && (_mode == StandbyMode.Login || session.Directory.IsReady);

    private void Lose(int side, string why)
    {
        if (side != _active)
            return;
        int other = 1 - side;
        _why = $"{_names[side]}: {why}";
        _switches.RecordLoss();
        _active = Nobody;
        if (!IsReady(other))
            return;
        Activate(other);
        Sides[side].Session.SendStandby(); // a server whose connection is still open
    }

    private void Activate(int side)
    {
        _active = side;
        ConsumerSession session = Sides[side].Session;
        _handler.Join(session);
        if (_hasStarted)
            _switches.Begin(session.ItemCount, $"Switched to {_names[side]}, as of {_why}");
        session.SendStandby();
        _handler.OnLoggedIn();
        Start();
    }

    private void Start()
    {
        _hasStarted = true;
        _handler.OnReady();
    }
}

/// <summary>One server of a pair: forwards its events to the handler while it is the active one.</summary>
internal sealed class StandbySide(StandbyConsumer pair, int side, ConsumerHandler handler) : ConsumerHandler
{
    private int _updates; // since the end of the last read

    protected internal override bool WantsTicks => IsActive && handler.WantsTicks;

    protected internal override bool IsBlocked => IsActive && handler.IsBlocked;

    internal override bool IsStandby => pair.IsStandby(side);

    private bool IsActive => pair.IsActive(side);

    internal override void Join(ConsumerSession session)
    {
        base.Join(session);
        if (IsActive)
            handler.Join(session);
    }

    internal override void OnServiceChange(bool isUp) => pair.OnServiceChange(side, isUp);

    protected internal override void OnLoggedIn()
    {
        pair.OnLoggedIn(side);
        if (IsActive)
            handler.OnLoggedIn();
    }

    protected internal override void OnConnectFailed(CloseReason reason)
    {
        if (!IsStandby)
            handler.OnConnectFailed(reason);
        pair.OnConnectFailed(side);
    }

    protected internal override void OnReady() => pair.OnReady(side);

    protected internal override void OnPriming(scoped in RwfMsg refresh)
    {
        if (IsActive)
            handler.OnPriming(refresh);
    }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        if (!IsActive)
        {
            Session.Counters.Add(Counter.StandbyRefreshes, 1);
            return;
        }

        handler.OnRefresh(item, refresh);
        if (refresh.Has(RefreshFlags.RefreshComplete))
            pair.Switches.RecordImage(item);
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        if (IsActive)
        {
            _updates++;
            handler.OnUpdate(item, update);
        }
        else
        {
            Drop();
        }
    }

    protected internal override void OnFullUpdate(int item, scoped in RwfMsg update)
    {
        if (IsActive)
        {
            _updates++;
            handler.OnFullUpdate(item, update);
        }
        else
        {
            Drop();
        }
    }

    protected internal override void OnStatus(int item, scoped in RwfMsg status)
    {
        if (IsActive)
            handler.OnStatus(item, status);
        else
            Drop();
    }

    protected internal override void OnItemState(int item, scoped in RwfState state)
    {
        if (IsActive)
            handler.OnItemState(item, state);
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message)
    {
        if (IsActive)
            handler.OnGeneric(item, message);
        else
            Drop();
    }

    protected internal override void OnAck(int item, scoped in RwfMsg ack)
    {
        if (IsActive)
            handler.OnAck(item, ack);
        else
            Drop();
    }

    protected internal override bool OnTick(in TickInfo tick) => IsActive && handler.OnTick(tick);

    protected internal override void OnContinue()
    {
        if (IsActive)
            handler.OnContinue();
    }

    protected internal override void OnBatchEnd()
    {
        if (!IsActive)
            return;
        handler.OnBatchEnd();
        pair.Switches.RecordUpdates(_updates);
        _updates = 0;
    }

    // With none active, both notify the handler: the run is over.
    protected internal override void OnFinishing()
    {
        if (!IsStandby)
            handler.OnFinishing();
    }

    protected internal override void OnClosed(CloseReason reason)
    {
        if (IsActive && !Session.WillBeFollowed)
            handler.OnClosed(reason);
        pair.OnClosed(side);
    }

    private void Drop() => Session.Counters.Add(Counter.StandbyMessages, 1);
}
