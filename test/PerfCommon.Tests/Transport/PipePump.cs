using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Drives two pipes over memory as their owners would.</summary>
internal static class PipePump
{
    // A handshake's cryptography runs on other threads, slowly on a busy machine: limited are only turns in which nothing happens.
    private const int MaxStillTurns = 60_000;

    // A conversation of layers needs some thousand turns, byte by byte: an endless one is a defect.
    private const int MaxTurns = 1_000_000;

    /// <summary>Opens both until each is ready or one has failed or ended.</summary>
    public static (PipeStatus Client, PipeStatus Server) OpenBoth(BytePipe client, BytePipe server, MemoryPipe clientEnd,
        MemoryPipe serverEnd)
    {
        PipeStatus first = PipeStatus.Wait;
        PipeStatus second = PipeStatus.Wait;
        TurnUntil(clientEnd, () =>
        {
            if (first == PipeStatus.Wait)
                first = client.Open();
            else if (first == PipeStatus.Ready)
                // bytes that a layer still sends after its handshake
                Assert.True(client.Receive(new byte[1], out int early) == PipeStatus.Wait && early == 0);
            if (second == PipeStatus.Wait)
                second = server.Open();
            if (first > PipeStatus.Wait)
                clientEnd.Dispose();
            if (second > PipeStatus.Wait)
                serverEnd.Dispose();
            return first != PipeStatus.Wait && second != PipeStatus.Wait;
        });
        return (first, second);
    }

    /// <summary>
    /// Runs turns until the condition holds, each a millisecond apart while no bytes move and no layer of either end wakes its owner.
    /// </summary>
    public static void TurnUntil(MemoryPipe end, Func<bool> turn)
    {
        int turns = 0;
        for (int still = 0; still < MaxStillTurns && turns < MaxTurns; still++, turns++)
        {
            long before = end.Moved;
            end.Woken.Reset();
            if (turn())
                return;
            if (end.Moved != before || end.Woken.Wait(1, TestContext.Current.CancellationToken))
                still = 0;
        }

        Assert.Fail(turns < MaxTurns ? "nobody has anything to do any more" : "both go on for ever");
    }

    /// <summary>Sends all bytes in one direction, receiving in between, and returns those received.</summary>
    public static byte[] Transfer(BytePipe from, BytePipe to, ReadOnlySpan<byte> bytes, int roomBytes = 64 * 1024)
    {
        byte[] room = new byte[roomBytes];
        MemoryStream received = new();
        int sent = 0;
        for (int turn = 0; turn < 1_000_000 && (sent < bytes.Length || received.Length < bytes.Length); turn++)
        {
            if (sent < bytes.Length)
            {
                Assert.NotEqual(PipeStatus.Failed, from.Send(bytes[sent..], out int taken));
                sent += taken;
            }

            PipeStatus status = to.Receive(room, out int count);
            Assert.True(status <= PipeStatus.Wait, to.Failure);
            received.Write(room, 0, count);
        }

        return received.ToArray();
    }
}
