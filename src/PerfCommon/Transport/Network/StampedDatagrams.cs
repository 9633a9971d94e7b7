using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Receives the datagrams of a socket with the kernel's time stamps: when it received each of them, and when it passed the last one sent to the network.
/// </summary>
/// <remarks>The stamps are nanoseconds of the wall clock. Linux only; one thread.</remarks>
internal sealed partial class StampedDatagrams
{
    // SO_TIMESTAMPING of SOL_SOCKET, and its flags (include/uapi/linux/net_tstamp.h): software stamps of messages sent and received
    private const int SocketLevel = 1;
    private const int TimestampingOption = 37;
    private const int SentFlag = 1 << 1;
    private const int ReceivedFlag = 1 << 3;
    private const int SoftwareFlag = 1 << 4;

    private const int DoNotWait = 0x40;
    private const int ErrorQueue = 0x2000;

    // struct msghdr: name, its length, io vector, number of vectors, control, its length, flags; of cmsghdr: length, level, type
    private const int HeaderBytes = 56;
    private const int NameLengthAt = 8;
    private const int VectorAt = 16;
    private const int VectorsAt = 24;
    private const int ControlAt = 32;
    private const int ControlLengthAt = 40;
    private const int ControlHeaderBytes = 16;
    private const int MaxNameBytes = 128;
    private const int MaxControlBytes = 512;
    private const int MaxBytes = 1024; // a message that was sent returns with the headers of all layers below

    private readonly Socket _socket;
    private readonly byte[] _name = Pin(MaxNameBytes);
    private readonly byte[] _control = Pin(MaxControlBytes);
    private readonly byte[] _bytes = Pin(MaxBytes);
    private readonly byte[] _vector = Pin(2 * sizeof(long));
    private readonly byte[] _header = new byte[HeaderBytes];
    private readonly byte[]? _sent; // null where what is sent has no stamps
    private int _sentLength;
    private int _nameLength;

    private StampedDatagrams(Socket socket, bool stampsSent) => (_socket, _sent) = (socket, stampsSent ? new byte[MaxBytes] : null);

    /// <summary>When the kernel received the last datagram; null where it has no stamp.</summary>
    public long? ReceivedNanos { get; private set; }

    /// <summary>When the kernel passed the datagram that was sent last to the network; null while that is not known.</summary>
    public long? SentNanos { get; private set; }

    /// <summary>Requests stamps of a socket's datagrams; null where the system has none.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="stampsSent">True for stamps of those that are sent, too.</param>
    public static StampedDatagrams? TryOpen(Socket socket, bool stampsSent)
    {
        if (!LinuxClock.IsUsed)
            return null;
        try
        {
            socket.SetRawSocketOption(SocketLevel, TimestampingOption, BitConverter.GetBytes((stampsSent ? SentFlag : 0) | ReceivedFlag | SoftwareFlag));
            return new(socket, stampsSent);
        }
        catch (SocketException)
        {
            return null;
        }
    }

    /// <summary>Sends a datagram to the connected peer.</summary>
    public SocketError Send(ReadOnlySpan<byte> message)
    {
        SentNanos = null;
        _sentLength = message.Length;
        message.CopyTo(_sent ?? _bytes);
        _socket.Send(message, SocketFlags.None, out SocketError error);
        return error;
    }

    /// <summary>Waits for a datagram.</summary>
    /// <param name="room">Receives it, and no more than its own length.</param>
    /// <param name="limitNanos">Timeout in nanoseconds.</param>
    /// <returns>Bytes received; 0 when none arrived in time; -1 when the peer is gone, or does not listen.</returns>
    public int Receive(Span<byte> room, long limitNanos)
    {
        ReceivedNanos = null;
        for (long until = Clock.NowNanos + limitNanos; ;)
        {
            Wait(Math.Max(0, until - Clock.NowNanos));
            ReadSent();
            int bytes = Read(room.Length, 0, out int error);
            if (bytes > 0)
            {
                ReceivedNanos = FindStamp();
                _bytes.AsSpan(0, bytes).CopyTo(room);
                return bytes;
            }

            if (bytes < 0 && error is not (Libc.TryAgain or Libc.Interrupted))
                return -1;
            if (Clock.NowNanos >= until)
                return 0;
        }
    }

    /// <summary>Copies the address of the sender of the last datagram.</summary>
    public void CopySender(SocketAddress sender)
    {
        sender.Size = _nameLength;
        _name.AsSpan(0, _nameLength).CopyTo(sender.Buffer.Span);
    }

    private static byte[] Pin(int length) => GC.AllocateArray<byte>(length, pinned: true);

    // Ends early for a stamp of what was sent.
    private void Wait(long limitNanos)
    {
        bool isHeld = false;
        try
        {
            _socket.SafeHandle.DangerousAddRef(ref isHeld);
            Span<Libc.PollEntry> entry = [new() { Descriptor = (int)_socket.SafeHandle.DangerousGetHandle(), Events = Libc.PollIn }];
            Libc.Poll(entry, limitNanos);
        }
        finally
        {
            if (isHeld)
                _socket.SafeHandle.DangerousRelease();
        }
    }

    // Each message sent returns with its stamp, as far as the system permits it: one whose bytes are not those sent last is an earlier one.
    private void ReadSent()
    {
        while (_sent is not null && Read(MaxBytes, ErrorQueue, out _) is var bytes and > 0)
        {
            if (_bytes.AsSpan(0, bytes).EndsWith(_sent.AsSpan(0, _sentLength)))
                SentNanos = FindStamp();
        }
    }

    private int Read(int maxBytes, int flags, out int error)
    {
        MemoryMarshal.Write(_vector, Marshal.UnsafeAddrOfPinnedArrayElement(_bytes, 0));
        MemoryMarshal.Write(_vector.AsSpan(sizeof(long)), (long)Math.Min(maxBytes, MaxBytes));
        Span<byte> header = _header;
        header.Clear();
        MemoryMarshal.Write(header, Marshal.UnsafeAddrOfPinnedArrayElement(_name, 0));
        MemoryMarshal.Write(header[NameLengthAt..], MaxNameBytes);
        MemoryMarshal.Write(header[VectorAt..], Marshal.UnsafeAddrOfPinnedArrayElement(_vector, 0));
        MemoryMarshal.Write(header[VectorsAt..], 1L);
        MemoryMarshal.Write(header[ControlAt..], Marshal.UnsafeAddrOfPinnedArrayElement(_control, 0));
        MemoryMarshal.Write(header[ControlLengthAt..], (long)MaxControlBytes);
        int bytes = (int)ReceiveMessage(_socket.SafeHandle, header, flags | DoNotWait);
        error = bytes < 0 ? Marshal.GetLastPInvokeError() : 0;
        if (bytes >= 0)
            _nameLength = MemoryMarshal.Read<int>(header[NameLengthAt..]);
        return bytes;
    }

    // The first of three times of a control message is the software stamp.
    private long? FindStamp()
    {
        ReadOnlySpan<byte> rest = _control.AsSpan(0, (int)MemoryMarshal.Read<long>(_header.AsSpan(ControlLengthAt)));
        while (rest.Length >= ControlHeaderBytes)
        {
            int length = (int)MemoryMarshal.Read<long>(rest);
            (int level, int type) = (MemoryMarshal.Read<int>(rest[sizeof(long)..]), MemoryMarshal.Read<int>(rest[(sizeof(long) + sizeof(int))..]));
            if ((level, type) == (SocketLevel, TimestampingOption) && length >= ControlHeaderBytes + (2 * sizeof(long)))
            {
                long seconds = MemoryMarshal.Read<long>(rest[ControlHeaderBytes..]);
                long nanos = (seconds * Clock.NanosPerSecond) + MemoryMarshal.Read<long>(rest[(ControlHeaderBytes + sizeof(long))..]);
                return nanos == 0 ? null : nanos;
            }

            int next = (length + sizeof(long) - 1) & -sizeof(long);
            if (next < ControlHeaderBytes || next > rest.Length)
                return null;
            rest = rest[next..];
        }

        return null;
    }

    [LibraryImport("libc", EntryPoint = "recvmsg", SetLastError = true)]
    private static partial nint ReceiveMessage(SafeHandle socket, Span<byte> header, int flags);
}
