using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>The system calls, where available, and those of the framework have the same results.</summary>
public sealed class SocketPipeTests : IDisposable
{
    private const int MostSends = 100_000;

    private readonly SocketPair _pair = new();

    public SocketPipeTests() => Own.Blocking = false;

    public static TheoryData<bool> Ways => OperatingSystem.IsLinux() ? new(true, false) : new(false);

    private Socket Peer => _pair.Sender;

    private Socket Own => _pair.Reader;

    public void Dispose() => _pair.Dispose();

    [Theory]
    [MemberData(nameof(Ways))]
    public void Receive_NothingThere_Waits(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        Assert.Equal(PipeStatus.Wait, pipe.Receive(new byte[10], out int count));
        Assert.Equal(0, count);
        Assert.Null(pipe.Failure);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Receive_LessAndMoreThanThereIsRoomFor_SaysWhichItWas(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        Peer.Send([1, 2, 3]);
        byte[] room = new byte[2];
        Assert.Equal((PipeStatus.Ready, 2), (Take(pipe, room, out int first), first));
        Assert.Equal([1, 2], room);
        Assert.Equal((PipeStatus.Wait, 1), (Take(pipe, room, out int rest), rest));
        Assert.Equal(3, room[0]);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Receive_PeerHasEnded_Ends(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        Peer.Shutdown(SocketShutdown.Send);
        Assert.Equal((PipeStatus.Ended, 0), (Take(pipe, new byte[2], out int count), count));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Receive_PeerHasReset_FailsInTheFrameworksWords(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        Reset();
        Assert.Equal((PipeStatus.Failed, 0), (Take(pipe, new byte[2], out int count), count));
        Assert.Equal(new SocketException((int)SocketError.ConnectionReset).Message, pipe.Failure);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Send_PeerHasReset_Fails(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        Reset();
        Assert.Equal(PipeStatus.Failed, pipe.Send([1], out int count));
        Assert.Equal(0, count);
        Assert.NotNull(pipe.Failure);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Send_NobodyReads_WaitsInTheEndAndEveryByteTakenArrives(bool isLinux)
    {
        using BytePipe pipe = Open(isLinux);
        byte[] bytes = new byte[60_000];
        long sent = 0;
        int sends = 0, count;
        PipeStatus status;
        do
        {
            status = pipe.Send(bytes, out count);
            Assert.Equal(status == PipeStatus.Wait, count < bytes.Length); // some of it, perhaps
            sent += count;
            Assert.True(++sends < MostSends, "it takes bytes without end");
        }
        while (count > 0 || Own.Poll(TimeSpan.FromSeconds(1), SelectMode.SelectWrite)); // the system may still transfer some

        Assert.Equal(PipeStatus.Wait, status);
        pipe.FinishSending();
        Assert.Equal(sent, CountReceived());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Dispose_ThenUsed_TouchesNoSocket(bool isLinux)
    {
        BytePipe pipe = Open(isLinux);
        pipe.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pipe.Send([1], out _)); // its number may be reused by now
    }

    private static PipeStatus Take(BytePipe pipe, byte[] room, out int count) => pipe.Receive(room, out count);

    private BytePipe Open(bool isLinux) => new SocketLink(Own, isConnected: true, isLinux).Open(() => { });

    private void Reset()
    {
        Peer.LingerState = new LingerOption(enable: true, seconds: 0);
        Peer.Close();
        Own.Poll(TimeSpan.FromSeconds(10), SelectMode.SelectRead);
    }

    private long CountReceived()
    {
        byte[] room = new byte[100_000];
        long received = 0;
        for (int count; (count = Peer.Receive(room)) > 0;)
            received += count;
        return received;
    }
}
