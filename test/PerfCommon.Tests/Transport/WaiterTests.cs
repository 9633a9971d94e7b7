using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>What wakes a poller that waits for sockets, by each way of waiting.</summary>
public sealed class WaiterTests : IDisposable
{
    private const long Long = 120_000_000_000; // a test that is not woken fails at its time limit
    private readonly SocketPair _pair = new();

    public enum Kind
    {
        Poll,
        Epoll,
        Select,
    }

    public static TheoryData<Kind> Kinds => new(OperatingSystem.IsLinux() ? Enum.GetValues<Kind>() : [Kind.Select]);

    public void Dispose() => _pair.Dispose();

    [Theory]
    [InlineData(0, 0)] // a wait that only looks
    [InlineData(1, 1)]
    [InlineData(1_000_000, 1)]
    [InlineData(1_000_001, 2)]
    public void RoundUp_OfATime_IsItsMillisecondsAtLeast(long nanos, int millis) =>
        Assert.Equal(TimeSpan.FromMilliseconds(millis), SelectWaiter.RoundUp(nanos));

    [Theory(Timeout = 60_000), MemberData(nameof(Kinds))]
    public Task Wait_SignalledBefore_EndsOnce(Kind kind) => OnThread(() =>
    {
        using Waiter waiter = Create(kind);
        waiter.Signal();
        waiter.Wait(Long);
        Assert.Empty(waiter.Found);

        Task next = Task.Run(() => waiter.Wait(Long), TestContext.Current.CancellationToken);
        Assert.False(next.Wait(50, TestContext.Current.CancellationToken)); // one signal ends one wait
        waiter.Signal();
        next.Wait(TestContext.Current.CancellationToken);
    }, TestContext.Current.CancellationToken);

    [Theory(Timeout = 60_000), MemberData(nameof(Kinds))]
    public Task Wait_SignalledByAnotherThread_Ends(Kind kind) => OnThread(() =>
    {
        using Waiter waiter = Create(kind);
        Task other = Task.Run(waiter.Signal, TestContext.Current.CancellationToken);
        waiter.Wait(Long);
        other.Wait(TestContext.Current.CancellationToken);
    }, TestContext.Current.CancellationToken);

    [Theory(Timeout = 60_000), MemberData(nameof(Kinds))]
    public Task Found_WhatTheLastWaitFound_IsForgotten(Kind kind) => OnThread(() =>
    {
        using Waiter waiter = Create(kind);
        TestSlot slot = new();
        waiter.Add(slot, new TestSource(_pair.Reader));
        waiter.SetInterest(slot, reads: true, writes: false);
        waiter.Wait(0);
        Assert.Empty(waiter.Found); // writable, which is not asked for

        _pair.Sender.Send([1]);
        waiter.Wait(Long);
        Assert.Equal((slot, true, false), Assert.Single(waiter.Found));
        Assert.Equal(1, _pair.Reader.Receive(new byte[10]));
        waiter.Wait(0);
        Assert.Empty(waiter.Found);

        waiter.SetInterest(slot, reads: true, writes: true);
        waiter.Wait(Long);
        Assert.Equal((slot, false, true), Assert.Single(waiter.Found));
        waiter.Remove(slot);
        Assert.Equal(-1, slot.Index);
        waiter.Wait(0);
        Assert.Empty(waiter.Found);
    }, TestContext.Current.CancellationToken);

    /// <summary>A thread of many short connections does not grow with them.</summary>
    [Theory(Timeout = 60_000), MemberData(nameof(Kinds))]
    public Task Add_AfterARemoval_TakesThePlaceThatIsFree(Kind kind) => OnThread(() =>
    {
        using Waiter waiter = Create(kind);
        using SocketPair other = new();
        waiter.Add(new TestSlot(), new TestSource(other.Reader));
        for (int i = 0; i < 100; i++)
        {
            TestSlot slot = new();
            waiter.Add(slot, new TestSource(_pair.Reader));
            Assert.InRange(slot.Index, 0, 3);
            waiter.Remove(slot);
        }
    }, TestContext.Current.CancellationToken);

    [Fact(Timeout = 60_000)]
    public Task MakeRoom_ForMoreSocketsThanPollHandles_KeepsWhatEachWaitsFor() => OnThread(() =>
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "other systems have one way to wait for sockets");
        using SocketPair reading = new(), writing = new(), both = new(), neither = new();
        (SocketPair Pair, bool Reads, bool Writes)[] asked = [(reading, true, false), (writing, false, true), (both, true, true), (neither, false, false)];
        PollWaiter few = new();
        Waiter waiter = few;
        Dictionary<WaitSlot, int> numbers = [];
        foreach ((SocketPair pair, bool reads, bool writes) in asked)
        {
            TestSlot slot = new();
            numbers[slot] = numbers.Count;
            pair.Sender.Send([1]);
            Assert.True(pair.Reader.Poll(TimeSpan.FromSeconds(60), SelectMode.SelectRead)); // it has a byte to read, and room to write
            waiter.Add(slot, new TestSource(pair.Reader));
            waiter.SetInterest(slot, reads, writes);
        }

        List<Socket> others = [];
        while (waiter == few)
        {
            Assert.InRange(others.Count, 0, 1_000);
            others.Add(new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
            waiter.Add(new TestSlot(), new TestSource(others[^1]));
            waiter = waiter.MakeRoom();
        }

        waiter.Wait(Long);
        Assert.Equal([(0, true, false), (1, false, true), (2, true, true)],
            waiter.Found.Select(found => (numbers[found.Slot], found.Readable, found.Writable)).Order());
        others.ForEach(other => other.Dispose());
        waiter.Dispose();
    }, TestContext.Current.CancellationToken);

    [Fact]
    public void Wait_InMemory_FindsWhatIsAskedFor()
    {
        MemoryNetwork network = new(TimeSource.StartAt(0));
        using ListeningPort port = network.Listen(TestChannels.Listen);
        using MemoryLink link = (MemoryLink)network.Connect(IPAddress.Loopback, TestChannels.Connect with { Port = port.Number });
        using MemoryLink far = (MemoryLink)port.TryAccept(TimeSpan.Zero)!;
        using Waiter waiter = network.CreateWaiter();
        TestSlot slot = new();
        waiter.Add(slot, link);
        waiter.Wait(0);
        Assert.Empty(waiter.Found); // it has room, which is not asked for
        waiter.SetInterest(slot, reads: true, writes: false);
        waiter.Wait(0);
        Assert.Empty(waiter.Found);
        waiter.SetInterest(slot, reads: true, writes: true);
        waiter.Wait(0);
        Assert.Equal((slot, false, true), Assert.Single(waiter.Found));
    }

    private static Waiter Create(Kind kind) => kind switch
    {
        Kind.Poll => new PollWaiter(),
        Kind.Epoll => new EpollWaiter(new WakeEvent()),
        _ => new SelectWaiter(),
    };

    private static Task OnThread(Action test, CancellationToken cancel) =>
        Task.Factory.StartNew(test, cancel, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private sealed class TestSlot : WaitSlot;

    private sealed class TestSource(Socket socket) : WaitSource
    {
        public override Socket? Socket => socket;
    }
}
